import type { AccessLevel, ExternalPermission } from '../../kernel/contract.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Contact, MailLanguage } from '../../kernel/mail-address.ts'
import type { Quotas } from '../../kernel/quotas.ts'
import type { KeyLimits } from './key-limit-rules.ts'

export interface Account {
  readonly id: AccountId
  readonly code: string
  readonly name: string
  readonly class: string
  readonly member: { readonly code: string; readonly class: string }
  /** Who gets its notices by mail. */
  readonly contact?: Contact | undefined
  /** What it may have; undefined where nothing is limited. */
  readonly quotas?: Quotas | undefined
  readonly createdAt: Date
}

export interface ApiKey extends KeyLimits {
  readonly token: string
  readonly accountId: AccountId
  readonly permission: AccessLevel
  readonly external: readonly ExternalPermission[]
  readonly createdAt: Date
  /** Up to a minute behind; undefined until it is used. */
  readonly lastUsedAt?: Date | undefined
}

/** A name that is safe in paths, file names and logs. */
export const CODE_PATTERN = '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'
/** Basic authentication ends the token at the first colon. */
export const TOKEN_PATTERN = '^[A-Za-z0-9_.-]{1,128}$'
export const NAME_LENGTH_MAX = 255
export const SECRET_LENGTH_MAX = 256

/**
 * Left out it stays, null takes it away. A language that is left out stays too; at first it is English, as in messages
 * of the API.
 */
export function changeContact(
  found: Contact | undefined,
  sent: { email: string; language?: MailLanguage } | null | undefined,
): Contact | undefined {
  if (sent === undefined) return found
  if (sent === null) return undefined
  return { email: sent.email, language: sent.language ?? found?.language ?? 'en' }
}

/** The words joined by `+`, or `none` (docs/requests.md). */
export function externalPermission(key: Pick<ApiKey, 'external'>): string {
  return key.external.length === 0 ? 'none' : key.external.join('+')
}
