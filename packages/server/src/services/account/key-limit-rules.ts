/** Until when and from where a key works, with a note for people: the same in the world file and the operator API. */
import { isAddressOrNetwork } from '../../kernel/address-list.ts'
import { parseDatetime } from '../../kernel/datetime.ts'
import type { Problem } from '../../kernel/schema.ts'
import type { SentLimits } from './key-contract.ts'

export interface KeyLimits {
  readonly expiresAt: Date | undefined
  /** Addresses and networks; none means from everywhere. */
  readonly allowedAddresses: readonly string[]
  readonly note: string
}

export const NO_LIMITS: KeyLimits = { expiresAt: undefined, allowedAddresses: [], note: '' }

/** What the schema cannot see. */
export function limitProblem({ expires_at, allowed_addresses }: SentLimits): Problem | undefined {
  if (typeof expires_at === 'string' && parseDatetime(expires_at) === undefined) {
    const en = 'must be a time such as 2027-01-31T00:00:00+09:00.'
    return {
      path: ['expires_at'],
      text: { en, ja: 'は 2027-01-31T00:00:00+09:00 の形式です。' },
    }
  }
  const index = allowed_addresses?.findIndex((entry) => !isAddressOrNetwork(entry)) ?? -1
  if (index < 0) return undefined
  const en = 'must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32.'
  return {
    path: ['allowed_addresses', index],
    text: { en, ja: 'は 192.0.2.0/24 や 2001:db8::/32 などのアドレスまたはネットワークです。' },
  }
}

export function changeLimits(found: KeyLimits, sent: SentLimits): KeyLimits {
  const { expires_at, allowed_addresses, note } = sent
  const changed = expires_at == null ? undefined : parseDatetime(expires_at)
  return {
    expiresAt: expires_at === undefined ? found.expiresAt : changed,
    allowedAddresses: allowed_addresses ?? found.allowedAddresses,
    note: note ?? found.note,
  }
}

export function sameLimits(one: KeyLimits, other: KeyLimits): boolean {
  return (
    one.expiresAt?.getTime() === other.expiresAt?.getTime() &&
    one.allowedAddresses.join(' ') === other.allowedAddresses.join(' ') &&
    one.note === other.note
  )
}
