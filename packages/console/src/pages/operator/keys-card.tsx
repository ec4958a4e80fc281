/** The keys of one account. A secret is shown once and kept nowhere. */
import type { Key } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Check, Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { operatorText } from './texts.ts'

const PERMISSIONS = ['view', 'power', 'arrange', 'create'] as const
type Permission = (typeof PERMISSIONS)[number]

type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'revoke' | 'rotate'; readonly token: string }
  | { readonly what: 'secret'; readonly token: string; readonly secret: string }

export function KeysCard({ code, name }: { code: string; name: string }) {
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const keys = useQuery(
    async (signal) => (await cloud().orThrow.keyList({ params: { code } }, { signal })).keys,
    [code],
  )
  const shown = (token: string, secret: string) => {
    keys.reload()
    setAsked({ what: 'secret', token, secret })
  }
  return (
    <Card
      title={operatorText('keysOf', { name })}
      actions={<Button onClick={() => setAsked({ what: 'new' })}>{operatorText('newKey')}</Button>}
    >
      <Loaded query={keys}>{(list) => <KeyTable list={list} onAsk={setAsked} />}</Loaded>
      {asked?.what === 'new' && <NewKeyDialog code={code} onClose={close} onSecret={shown} />}
      {asked?.what === 'secret' && <SecretDialog {...asked} onClose={close} />}
      {(asked?.what === 'revoke' || asked?.what === 'rotate') && (
        <ChangeDialog
          {...{ code, what: asked.what, token: asked.token }}
          onClose={close}
          onSecret={shown}
          onDone={keys.reload}
        />
      )}
    </Card>
  )
}

function KeyTable({ list, onAsk }: { list: readonly Key[]; onAsk: (asked: Asked) => void }) {
  return (
    <Table
      caption={operatorText('keys')}
      rows={list}
      keyOf={({ token }) => token}
      empty={operatorText('noKeys')}
      columns={[
        { key: 'token', title: operatorText('token'), cell: ({ token }) => <code>{token}</code> },
        {
          ...{ key: 'permission', title: operatorText('permission') },
          cell: ({ permission }) => permission,
        },
        {
          ...{ key: 'external', title: operatorText('external') },
          cell: ({ external }) => external.join(', ') || '–',
        },
        {
          ...{ key: 'created', title: operatorText('created') },
          cell: ({ created_at }) => formatTime(created_at),
        },
        {
          ...{ key: 'actions', title: '', align: 'end' },
          cell: ({ token }) =>
            (['rotate', 'revoke'] as const).map((what) => (
              <Button
                key={what}
                kind="quiet"
                label={`${operatorText(what)}: ${token}`}
                onClick={() => onAsk({ what, token })}
              >
                {operatorText(what)}
              </Button>
            )),
        },
      ]}
    />
  )
}

interface MakeProps {
  readonly code: string
  readonly onClose: () => void
  readonly onSecret: (token: string, secret: string) => void
}

function NewKeyDialog({ code, onClose, onSecret }: MakeProps) {
  const [permission, setPermission] = useState<Permission>('create')
  const [bill, setBill] = useState(true)
  const [cdn, setCdn] = useState(true)
  const create = useAction(async () => {
    const external = [...(bill ? ['bill' as const] : []), ...(cdn ? ['cdn' as const] : [])]
    const made = await cloud().orThrow.keyCreate({
      params: { code },
      body: { permission, external },
    })
    onSecret(made.key.token, made.secret)
  })
  return (
    <Dialog
      title={operatorText('newKey')}
      submit={operatorText('create')}
      isBusy={create.isBusy}
      error={create.error}
      onSubmit={() => void create.run()}
      onClose={onClose}
    >
      <Select<Permission>
        label={operatorText('permission')}
        value={permission}
        onChange={setPermission}
        options={PERMISSIONS.map((one) => [one, one] as const)}
      />
      <Check label="bill" isChecked={bill} onChange={setBill} />
      <Check label="cdn" isChecked={cdn} onChange={setCdn} />
    </Dialog>
  )
}

function SecretDialog(props: { token: string; secret: string; onClose: () => void }) {
  return (
    <Dialog title={operatorText('secret')} onClose={props.onClose}>
      <p>{operatorText('secretOnce')}</p>
      <CopyField label={operatorText('token')} value={props.token} />
      <CopyField label={operatorText('secret')} value={props.secret} />
    </Dialog>
  )
}

interface ChangeProps extends MakeProps {
  readonly what: 'rotate' | 'revoke'
  readonly token: string
  readonly onDone: () => void
}

function ChangeDialog({ code, what, token, onClose, onSecret, onDone }: ChangeProps) {
  const act = useAction(
    async () => {
      const params = { code, token }
      if (what === 'rotate') {
        const { secret } = await cloud().orThrow.keyRotate({ params })
        return onSecret(token, secret)
      }
      await cloud().orThrow.keyRevoke({ params })
      onDone()
      onClose()
    },
    () => operatorText(`did_${what}`, { token }),
  )
  return (
    <Dialog
      title={operatorText(what)}
      submit={operatorText(what)}
      isDangerous
      isBusy={act.isBusy}
      error={act.error}
      onSubmit={() => void act.run()}
      onClose={onClose}
    >
      <p>{operatorText(what === 'revoke' ? 'revokeAsk' : 'rotateAsk', { token })}</p>
    </Dialog>
  )
}
