import type { AccessLevel, ExternalPermission } from '../../kernel/contract.ts'
import type { AccountId } from '../../kernel/ids.ts'

export interface Account {
  readonly id: AccountId
  readonly code: string
  readonly name: string
  readonly class: string
  readonly member: { readonly code: string; readonly class: string }
  readonly createdAt: Date
}

export interface ApiKey {
  readonly token: string
  readonly accountId: AccountId
  readonly permission: AccessLevel
  readonly external: readonly ExternalPermission[]
  readonly createdAt: Date
}

/** A name that is safe in paths, file names and logs. */
export const CODE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'
/** Basic authentication ends the token at the first colon. */
export const TOKEN_PATTERN = '^[A-Za-z0-9_.-]{1,128}$'
export const NAME_LENGTH_MAX = 255
export const SECRET_LENGTH_MAX = 256

/** The words joined by `+`, or `none` (docs/requests.md). */
export function externalPermission(key: Pick<ApiKey, 'external'>): string {
  return key.external.length === 0 ? 'none' : key.external.join('+')
}
