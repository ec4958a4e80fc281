/** The quotas of one account, which the operator sets. */
import type { Account, Quota } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { QuotaTable } from '../quotas/quota-table.tsx'
import { quotaText } from '../quotas/texts.ts'
import { keyText } from './key-texts.ts'

export function QuotaCard({ account }: { account: Account }) {
  const { code } = account
  const name = account.name || code
  const [isChanging, setChanging] = useState(false)
  const quotas = useQuery(
    async (signal) => (await cloud().orThrow.quotaList({ params: { code } }, { signal })).quotas,
    [code],
  )
  return (
    <Card
      title={quotaText('quotasOf', { name })}
      actions={<Button onClick={() => setChanging(true)}>{keyText('change')}</Button>}
    >
      <Loaded query={quotas}>{(list) => <QuotaTable quotas={list} />}</Loaded>
      {isChanging && quotas.data !== undefined && (
        <QuotaDialog
          {...{ code, name, quotas: quotas.data }}
          onClose={() => setChanging(false)}
          onDone={quotas.reload}
        />
      )}
    </Card>
  )
}

interface DialogProps {
  readonly code: string
  readonly name: string
  readonly quotas: readonly Quota[]
  readonly onClose: () => void
  readonly onDone: () => void
}

function QuotaDialog({ code, name, quotas, onClose, onDone }: DialogProps) {
  const [limits, setLimits] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(quotas.map((quota) => [quota.name, String(quota.limit ?? '')])),
  )
  const save = useAction(
    async () => {
      const sent = Object.entries(limits).map(([quota, text]) => [
        quota,
        text === '' ? null : Number(text),
      ])
      await cloud().orThrow.quotaUpdate({ params: { code }, body: Object.fromEntries(sent) })
      onDone()
      onClose()
    },
    () => quotaText('saved', { name }),
  )
  return (
    <Dialog
      title={quotaText('quotasOf', { name })}
      submit={quotaText('save')}
      isBusy={save.isBusy}
      error={save.error}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <p>{quotaText('limitHint')}</p>
      {quotas.map((quota) => (
        <Field
          key={quota.name}
          label={quotaText(quota.name)}
          type="number"
          value={limits[quota.name] ?? ''}
          onInput={(text) => setLimits({ ...limits, [quota.name]: text })}
        />
      ))}
    </Dialog>
  )
}
