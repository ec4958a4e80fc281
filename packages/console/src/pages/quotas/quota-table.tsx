/** Limits and what is used of them. */
import type { Quota } from '@kumoi/client'
import { formatBytes, formatNumber } from '../../format.ts'
import { Table } from '../../ui/table.tsx'
import { quotaText } from './texts.ts'

export function QuotaTable({ quotas }: { quotas: readonly Quota[] }) {
  return (
    <Table
      caption={quotaText('quotas')}
      rows={quotas}
      keyOf={({ name }) => name}
      columns={[
        { key: 'name', title: quotaText('quota'), cell: ({ name }) => quotaText(name) },
        {
          ...{ key: 'used', title: quotaText('used'), align: 'end' },
          cell: ({ name, used }) => (used === null ? '–' : amount(name, used)),
        },
        {
          ...{ key: 'limit', title: quotaText('limit'), align: 'end' },
          cell: ({ name, limit }) => (limit === null ? quotaText('none') : amount(name, limit)),
        },
      ]}
    />
  )
}

function amount(name: Quota['name'], value: number): string {
  return name === 'file_bytes' ? formatBytes(value) : formatNumber(value)
}
