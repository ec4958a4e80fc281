/** The keys of one account. A secret is shown once and kept nowhere. */
import type { Key } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatDate, formatTime } from '../../format.ts'
import { language } from '../../i18n.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { bodyOf, formOf, KeyFields, NEW_KEY } from './key-form.tsx'
import { keyText } from './key-texts.ts'
import { operatorText } from './texts.ts'

type Asked =
  | { readonly what: 'new' }
  | { readonly what: 'edit'; readonly of: Key }
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
      {asked?.what === 'edit' && (
        <EditDialog {...{ code, of: asked.of }} onClose={close} onDone={keys.reload} />
      )}
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
        {
          ...{ key: 'token', title: operatorText('token') },
          cell: ({ token, note }) => (
            <>
              <code>{token}</code>
              {note && <div class="note">{note}</div>}
            </>
          ),
        },
        {
          ...{ key: 'rights', title: keyText('rights') },
          cell: ({ rights }) => <div class="sentences">{rights[language.value]}</div>,
        },
        {
          ...{ key: 'addresses', title: keyText('addresses') },
          cell: (key) => key.allowed_addresses.join(', ') || keyText('everywhere'),
        },
        {
          ...{ key: 'expires', title: keyText('expires') },
          cell: ({ expires_at }) => (expires_at ? formatTime(expires_at) : keyText('never')),
        },
        {
          ...{ key: 'used', title: keyText('lastUsed') },
          cell: ({ last_used_at, created_at }) => (
            <>
              {last_used_at ? formatTime(last_used_at) : '–'}
              <div class="note">{keyText('madeAt', { time: formatDate(created_at) })}</div>
            </>
          ),
        },
        {
          ...{ key: 'actions', title: '', align: 'end' },
          cell: (key) => <KeyActions of={key} onAsk={onAsk} />,
        },
      ]}
    />
  )
}

function KeyActions({ of, onAsk }: { of: Key; onAsk: (asked: Asked) => void }) {
  const { token } = of
  return (
    <>
      <Button
        kind="quiet"
        label={`${keyText('change')}: ${token}`}
        onClick={() => onAsk({ what: 'edit', of })}
      >
        {keyText('change')}
      </Button>
      {(['rotate', 'revoke'] as const).map((what) => (
        <Button
          key={what}
          kind="quiet"
          label={`${operatorText(what)}: ${token}`}
          onClick={() => onAsk({ what, token })}
        >
          {operatorText(what)}
        </Button>
      ))}
    </>
  )
}

interface MakeProps {
  readonly code: string
  readonly onClose: () => void
  readonly onSecret: (token: string, secret: string) => void
}

function NewKeyDialog({ code, onClose, onSecret }: MakeProps) {
  const [form, setForm] = useState(NEW_KEY)
  const create = useAction(async () => {
    const made = await cloud().orThrow.keyCreate({ params: { code }, body: bodyOf(form) })
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
      <KeyFields form={form} onChange={setForm} />
    </Dialog>
  )
}

interface EditProps extends Omit<MakeProps, 'onSecret'> {
  readonly of: Key
  readonly onDone: () => void
}

function EditDialog({ code, of, onClose, onDone }: EditProps) {
  const { token } = of
  const [form, setForm] = useState(formOf(of))
  const save = useAction(
    async () => {
      await cloud().orThrow.keyUpdate({ params: { code, token }, body: bodyOf(form) })
      onDone()
      onClose()
    },
    () => keyText('changed', { token }),
  )
  return (
    <Dialog
      title={keyText('changeKey', { token })}
      submit={keyText('change')}
      isBusy={save.isBusy}
      error={save.error}
      onSubmit={() => void save.run()}
      onClose={onClose}
    >
      <KeyFields form={form} onChange={setForm} />
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
