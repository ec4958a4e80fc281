/** Entries of the audit trail, of one account or of all. */
import { formatTime } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { auditText } from './texts.ts'

export interface AuditRow {
  readonly id: number
  readonly time: string
  readonly caller: string
  readonly account: string | null
  readonly address: string | null
  readonly client: string | null
  readonly operation: string
  readonly target: Readonly<Record<string, string>>
  readonly status: number
  readonly code: string | null
  readonly serial: string
}

export function EntryTable({ rows }: { rows: readonly AuditRow[] }) {
  return (
    <Table
      caption={auditText('title')}
      rows={rows}
      keyOf={({ id }) => String(id)}
      empty={auditText('none')}
      columns={COLUMNS.map((column) => ({ ...column, title: auditText(column.key) }))}
    />
  )
}

type Key = 'time' | 'operation' | 'who' | 'from' | 'result' | 'serial'

const COLUMNS: readonly (Omit<Column<AuditRow>, 'title'> & { readonly key: Key })[] = [
  { key: 'time', cell: ({ time }) => formatTime(time) },
  {
    key: 'operation',
    cell: ({ operation, target }) => (
      <>
        <code>{operation}</code>
        <div class="note">{targetText(target)}</div>
      </>
    ),
  },
  {
    key: 'who',
    cell: ({ caller, account }) => (
      <>
        {callerText(caller)}
        {account !== null && <div class="note">{account}</div>}
      </>
    ),
  },
  {
    key: 'from',
    cell: ({ address, client }) => (
      <>
        {address !== null && <code>{address}</code>}
        {client !== null && <div class="note">{client}</div>}
      </>
    ),
  },
  {
    key: 'result',
    cell: ({ status, code }) => (
      <>
        <Badge tone={status >= 500 ? 'bad' : status >= 400 ? 'warn' : 'good'}>{status}</Badge>
        {code !== null && <div class="note">{code}</div>}
      </>
    ),
  },
  { key: 'serial', cell: ({ serial }) => <code title={serial}>{serial.slice(0, 8)}…</code> },
]

function callerText(caller: string): string {
  const token = /^key (.*)$/.exec(caller)?.[1]
  return token === undefined ? auditText('operator') : auditText('key', { token })
}

/** The zone is in nearly every path and says nothing. */
function targetText({ zone: _, created, ...params }: AuditRow['target']): string {
  const shown = Object.values(params)
  return [...shown, ...(created === undefined ? [] : [auditText('created', { id: created })])].join(
    ' ',
  )
}
