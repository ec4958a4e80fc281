import { utcMicros } from '../../kernel/datetime.ts'
import type { Account, ApiKey, MadeKey } from '../account/public.ts'

export function accountToWire(account: Account) {
  return {
    id: account.id,
    code: account.code,
    name: account.name,
    class: account.class,
    member: { ...account.member },
    contact: account.contact === undefined ? null : { ...account.contact },
    created_at: utcMicros(account.createdAt),
  }
}

export function keyToWire(key: ApiKey) {
  return {
    token: key.token,
    permission: key.permission,
    external: [...key.external],
    created_at: utcMicros(key.createdAt),
  }
}

export function madeKeyToWire({ key, secret }: MadeKey) {
  return { key: keyToWire(key), secret }
}
