/**
 * Mail addresses that we send to or from. Narrower than RFC 5321: no quoted local part, no address in brackets, ASCII
 * only (a domain in other letters is written as `xn--…`). So an address holds nothing that could end a header or an
 * SMTP command.
 */

/** Of RFC 5321: a path of 256 with its angle brackets. */
export const MAIL_ADDRESS_LENGTH_MAX = 254

/** Words with single dots between them, at most 64 characters in all; labels of at most 63. */
export const MAIL_ADDRESS_PATTERN =
  "^(?=[^@]{1,64}@)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$"
const MAIL_ADDRESS = new RegExp(MAIL_ADDRESS_PATTERN)

/** The languages that texts for owners are written in. */
export const MAIL_LANGUAGES = ['en', 'ja'] as const
export type MailLanguage = (typeof MAIL_LANGUAGES)[number]

/** Where an account gets its notices, and in which language. */
export interface Contact {
  readonly email: string
  readonly language: MailLanguage
}

export interface Mailbox {
  /** Empty when there is none. */
  readonly name: string
  readonly address: string
}

export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_ADDRESS_LENGTH_MAX && MAIL_ADDRESS.test(text)
}

/** `noreply@example.jp` or `Kumoi <noreply@example.jp>`; undefined when it is neither. */
export function parseMailbox(text: string): Mailbox | undefined {
  const open = text.indexOf('<')
  const isNamed = open >= 0 && text.endsWith('>')
  const name = isNamed ? text.slice(0, open).trim() : ''
  const address = isNamed ? text.slice(open + 1, -1) : text
  const isPlain = !/[\p{Cc}"<>\\]/u.test(name) && name.length <= 100
  return isPlain && isMailAddress(address) ? { name, address } : undefined
}
