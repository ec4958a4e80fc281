/** The settings of the mail server, and what they need of each other. */
import type { Name, Value } from './config-sources.ts'
import type { Mailbox } from './kernel/mail-address.ts'
import type { SmtpAddress } from './kernel/smtp-address.ts'
import { ConfigError } from './setting-kinds.ts'

export interface MailConfig {
  /** Or a file that holds it. */
  readonly server: SmtpAddress | { readonly file: string }
  readonly from: Mailbox
  readonly caFile: string | undefined
  /** Undefined decides by the address. */
  readonly tls: 'required' | 'off' | undefined
}

export function mailOf(one: <N extends Name>(name: N) => Value<N>): MailConfig | undefined {
  const file = one('smtp-url-file')
  const url = one('smtp-url')
  if (url !== undefined && file !== '') {
    throw new ConfigError('--smtp-url and --smtp-url-file contradict each other.')
  }
  const server = file === '' ? url : { file }
  const from = one('mail-from')
  if ((server === undefined) !== (from === undefined)) {
    throw new ConfigError('--smtp-url (or --smtp-url-file) and --mail-from belong together.')
  }
  const tls = one('smtp-tls')
  const caFile = one('smtp-ca-file') || undefined
  if (server !== undefined && from !== undefined) return { server, from, caFile, tls }
  if (tls === undefined && caFile === undefined) return undefined
  throw new ConfigError('--smtp-tls and --smtp-ca-file need --smtp-url.')
}
