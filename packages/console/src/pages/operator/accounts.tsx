import type { Account } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { hrefOf } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { ContactCard } from './contact-card.tsx'
import { KeysCard } from './keys-card.tsx'
import { noticeText } from './notice-texts.ts'
import { QuotaCard } from './quota-card.tsx'
import { operatorText } from './texts.ts'

export function Accounts({ query }: PageInput) {
  const [isCreating, setCreating] = useState(false)
  const accounts = useQuery(
    async (signal) => (await cloud().orThrow.accountList({}, { signal })).accounts,
    [],
  )
  const open = accounts.data?.find(({ code }) => code === query.account)
  return (
    <Page
      title={operatorText('accounts')}
      actions={
        <Button kind="primary" onClick={() => setCreating(true)}>
          {operatorText('newAccount')}
        </Button>
      }
    >
      <Loaded query={accounts}>{(list) => <AccountTable list={list} />}</Loaded>
      {open !== undefined && <KeysCard key={open.code} code={open.code} name={open.name} />}
      {open !== undefined && <QuotaCard key={`quotas ${open.code}`} account={open} />}
      {open !== undefined && (
        <ContactCard key={`contact ${open.code}`} account={open} onDone={accounts.reload} />
      )}
      {isCreating && <AccountDialog onClose={() => setCreating(false)} onDone={accounts.reload} />}
    </Page>
  )
}

function AccountTable({ list }: { list: readonly Account[] }) {
  return (
    <Table
      caption={operatorText('accounts')}
      rows={list}
      keyOf={({ id }) => id}
      columns={[
        {
          ...{ key: 'name', title: operatorText('name') },
          cell: ({ code, name }) => (
            <a href={hrefOf('/operator/accounts', { account: code })}>{name || code}</a>
          ),
        },
        { key: 'code', title: operatorText('code'), cell: ({ code }) => <code>{code}</code> },
        {
          ...{ key: 'contact', title: noticeText('address') },
          cell: ({ contact }) => contact?.email ?? '–',
        },
        { key: 'id', title: 'ID', cell: ({ id }) => <code>{id}</code> },
        {
          ...{ key: 'created', title: operatorText('created') },
          cell: ({ created_at }) => formatTime(created_at),
        },
      ]}
    />
  )
}

function AccountDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [code, setCode] = useState('')
  const [name, setName] = useState('')
  const create = useAction(
    async () => {
      await cloud().orThrow.accountCreate({ body: { code: code.trim(), name } })
      onDone()
      onClose()
    },
    () => operatorText('accountCreated', { name: name || code }),
  )
  return (
    <Dialog
      title={operatorText('newAccount')}
      submit={operatorText('create')}
      isBusy={create.isBusy}
      error={create.error}
      onSubmit={() => void create.run()}
      onClose={onClose}
    >
      <Field label={operatorText('code')} value={code} onInput={setCode} isMono />
      <Field label={operatorText('name')} value={name} onInput={setName} />
    </Dialog>
  )
}
