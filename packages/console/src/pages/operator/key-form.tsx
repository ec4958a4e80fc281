/** What a key may do, until when and from where: the form of new keys and of those that are changed. */
import type { Key } from '@kumoi/client'
import { Check, Field, Select } from '../../ui/field.tsx'
import { keyText } from './key-texts.ts'
import { operatorText } from './texts.ts'

const PERMISSIONS = ['view', 'power', 'arrange', 'create'] as const
type Permission = (typeof PERMISSIONS)[number]

export interface KeyForm {
  readonly permission: Permission
  readonly bill: boolean
  readonly cdn: boolean
  readonly note: string
  /** In Japan's time, as all times are shown. */
  readonly expires: string
  /** Separated by spaces. */
  readonly addresses: string
}

export const NEW_KEY: KeyForm = {
  ...{ permission: 'create', bill: true, cdn: true, note: '', expires: '', addresses: '' },
}

const JAPAN_OFFSET_MS = 9 * 60 * 60 * 1000

export function formOf(key: Key): KeyForm {
  const { permission, external, note, expires_at, allowed_addresses } = key
  const japan = expires_at && new Date(Date.parse(expires_at) + JAPAN_OFFSET_MS).toISOString()
  return {
    permission: PERMISSIONS.find((one) => one === permission) ?? 'view',
    bill: external.includes('bill'),
    cdn: external.includes('cdn'),
    note,
    expires: japan ? japan.slice(0, 16) : '',
    addresses: allowed_addresses.join(' '),
  }
}

export function bodyOf({ permission, bill, cdn, note, expires, addresses }: KeyForm) {
  return {
    permission,
    external: [...(bill ? ['bill' as const] : []), ...(cdn ? ['cdn' as const] : [])],
    note: note.trim(),
    expires_at: expires === '' ? null : `${expires}:00+09:00`,
    allowed_addresses: addresses.split(/[\s,]+/).filter((entry) => entry !== ''),
  }
}

export function KeyFields({
  form,
  onChange,
}: {
  form: KeyForm
  onChange: (form: KeyForm) => void
}) {
  const set = (part: Partial<KeyForm>) => onChange({ ...form, ...part })
  return (
    <>
      <Select<Permission>
        label={operatorText('permission')}
        value={form.permission}
        onChange={(permission) => set({ permission })}
        options={PERMISSIONS.map((one) => [one, one] as const)}
      />
      <Check label="bill" isChecked={form.bill} onChange={(bill) => set({ bill })} />
      <Check label="cdn" isChecked={form.cdn} onChange={(cdn) => set({ cdn })} />
      <Field label={keyText('note')} value={form.note} onInput={(note) => set({ note })} />
      <Field
        label={keyText('expires')}
        hint={keyText('expiresHint')}
        type="datetime-local"
        value={form.expires}
        onInput={(expires) => set({ expires })}
      />
      <Field
        label={keyText('addresses')}
        hint={keyText('addressesHint')}
        value={form.addresses}
        onInput={(addresses) => set({ addresses })}
        isMono
      />
    </>
  )
}
