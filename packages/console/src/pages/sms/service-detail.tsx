/** One service: a form to send with, and the phones that receive. */
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { levelReason, useKey } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { navigate } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { ItemActions } from '../items/item-actions.tsx'
import { ItemDialog } from '../items/item-dialog.tsx'
import { itemText } from '../items/texts.ts'
import { readMessages } from './messages.ts'
import { Outbox } from './outbox.tsx'
import { SendCard } from './send-card.tsx'
import { smsText } from './texts.ts'

/** Statuses change by themselves. */
const EVERY_MS = 1500

export function SmsDetail({ params, query }: PageInput) {
  const id = params.id ?? ''
  const [open, setOpen] = useState<'edit' | 'delete'>()
  const key = useKey().data
  const item = useItem(id)
  const messages = useQuery((signal) => readMessages(id, signal), [id], { everyMs: EVERY_MS })
  const name = item.data?.Name || smsText('services')
  const remove = useAction(
    async () => {
      await cloud().orThrow.itemDelete({ params: { id } })
      navigate('/sms')
    },
    itemText('deletedAs', { name }),
  )
  const close = () => setOpen(undefined)
  return (
    <Page
      title={name}
      note={item.data?.Description || <code>{id}</code>}
      actions={
        <ItemActions
          arrange={levelReason(key, 'arrange')}
          denied={levelReason(key, 'create')}
          open={setOpen}
        />
      }
    >
      <Loaded query={item}>
        {() => (
          <div class="sms-columns">
            <SendCard serviceId={id} denied={levelReason(key, 'create')} onSent={messages.reload} />
            <Outbox messages={messages} to={query.to} />
          </div>
        )}
      </Loaded>
      {open === 'edit' && item.data !== undefined && (
        <ItemDialog
          title={smsText('editService')}
          class="esme"
          item={item.data}
          onClose={close}
          onDone={() => {
            close()
            item.reload()
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={itemText('deleteTitle', { name })}
          submit={itemText('delete')}
          action={remove}
          onClose={close}
        >
          {itemText('deleteNote')}
        </Confirm>
      )}
    </Page>
  )
}

function useItem(id: string) {
  return useQuery(
    async (signal) =>
      (await cloud().orThrow.itemRead({ params: { id } }, { signal })).CommonServiceItem,
    [id],
  )
}
