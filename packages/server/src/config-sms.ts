/** The settings of the transport of short messages, and what each transport needs of them. */
import type { Name, Value } from './config-sources.ts'
import { ConfigError } from './setting-kinds.ts'

export interface SmsConfig {
  readonly transport: 'outbox' | 'kannel' | 'http'
  /** Empty for the outbox, which needs none of these. */
  readonly url: string
  readonly user: string
  readonly passwordFile: string
  /** Reports of a gateway are taken by it, also of one that carries messages no more. */
  readonly secretFile: string
}

export function smsOf(one: <N extends Name>(name: N) => Value<N>): SmsConfig {
  const transport = one('sms-transport')
  const url = one('sms-url') ?? ''
  const sms = {
    ...{ transport, url, user: one('sms-user') },
    ...{ passwordFile: one('sms-password-file'), secretFile: one('sms-secret-file') },
  }
  const given = [
    ['--sms-url', sms.url, transport !== 'outbox'],
    ['--sms-user', sms.user, transport === 'kannel'],
    ['--sms-password-file', sms.passwordFile, transport === 'kannel'],
  ] as const
  for (const [flag, value, isNeeded] of given) {
    if (isNeeded === (value !== '')) continue
    throw new ConfigError(
      `--sms-transport ${transport} ${isNeeded ? 'needs' : 'has no use for'} ${flag}.`,
    )
  }
  if (transport === 'http' && sms.secretFile === '') {
    throw new ConfigError('--sms-transport http needs --sms-secret-file.')
  }
  return sms
}
