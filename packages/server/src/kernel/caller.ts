import type { AddressList } from './address-list.ts'
import { ACCESS_LEVELS, type AccessLevel, type ExternalPermission } from './contract.ts'
import type { AccountId } from './ids.ts'
import type { Quotas } from './quotas.ts'

/** The realm of Basic and Digest; part of what Digest verifiers are made from, so it never changes. */
export const REALM = 'Kumoi'

/** Who asks: the API key that the credentials belong to. */
export interface Caller {
  readonly accountId: AccountId
  readonly accountCode: string
  readonly token: string
  readonly permission: AccessLevel
  readonly external: readonly ExternalPermission[]
  /** Only where the key has some: they are checked with each request. */
  readonly limits?: CallerLimits
  /** Of the account, only where it has some. */
  readonly quotas?: Quotas
}

/** Until when and from where the key works. */
export interface CallerLimits {
  readonly expiresAt: Date | undefined
  readonly allowedAddresses: AddressList | undefined
}

export function mayUse(caller: Caller, level: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(caller.permission) >= ACCESS_LEVELS.indexOf(level)
}
