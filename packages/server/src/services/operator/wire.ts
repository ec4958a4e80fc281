import { utcMicros } from '../../kernel/datetime.ts'
import type { Account, ApiKey, MadeKey, QuotaUse } from '../account/public.ts'
import { describeRights } from './rights-rules.ts'

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

export function quotaToWire({ name, limit, used }: QuotaUse) {
  return { name: name, limit: limit ?? null, used: used ?? null }
}

export function keyToWire(key: ApiKey) {
  return {
    token: key.token,
    permission: key.permission,
    external: [...key.external],
    rights: describeRights(key),
    note: key.note,
    allowed_addresses: [...key.allowedAddresses],
    created_at: utcMicros(key.createdAt),
    expires_at: key.expiresAt ? utcMicros(key.expiresAt) : null,
    last_used_at: key.lastUsedAt ? utcMicros(key.lastUsedAt) : null,
  }
}

export function madeKeyToWire({ key, secret }: MadeKey) {
  return { key: keyToWire(key), secret }
}
