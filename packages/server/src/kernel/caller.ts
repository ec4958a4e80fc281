import { ACCESS_LEVELS, type AccessLevel, type ExternalPermission } from './contract.ts'
import type { AccountId } from './ids.ts'

/** The realm of Basic and Digest; part of what Digest verifiers are made from, so it never changes. */
export const REALM = 'Kumoi'

/** Who asks: the API key that the credentials belong to. */
export interface Caller {
  readonly accountId: AccountId
  readonly accountCode: string
  readonly token: string
  readonly permission: AccessLevel
  readonly external: readonly ExternalPermission[]
}

export function mayUse(caller: Caller, level: AccessLevel): boolean {
  return ACCESS_LEVELS.indexOf(caller.permission) >= ACCESS_LEVELS.indexOf(level)
}
