/** The transport that the settings name. */
import type { Log } from '../../kernel/log.ts'
import type { MessageId, Transport, TransportName } from '../../services/sms/public.ts'
import { HttpTransport } from './http.ts'
import { KannelTransport } from './kannel.ts'

export interface SmsSettings {
  readonly transport: TransportName
  readonly url: string
  readonly user: string
}

export interface TransportParts {
  readonly log: Log
  readonly password: string | undefined
  readonly secret: string | undefined
  readonly reportUrl: (messageId: MessageId) => string
}

export function openTransport(
  { transport, url, user }: SmsSettings,
  { log, password = '', secret = '', reportUrl }: TransportParts,
): Transport {
  return transport === 'kannel'
    ? new KannelTransport({ url, user, password, reportUrl, log })
    : new HttpTransport({ url, secret, log })
}
