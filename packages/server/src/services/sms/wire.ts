import { utcMicros } from '../../kernel/datetime.ts'
import type { Static } from '../../kernel/type.ts'
import type { smsContract } from './contract.ts'
import type { KeptReport } from './report-rules.ts'
import type { Content, Draft, Message } from './rules.ts'

type Wanted =
  | Static<(typeof smsContract)['smsSendGenerated']['body']>['ESME']
  | Static<(typeof smsContract)['smsSendGiven']['body']>['ESME']

export function draftFromWire({ destination, sender, domain_name }: Wanted, otp: string): Draft {
  return { destination, sender, otp, domain: domain_name || undefined }
}

export function sentToWire({ id, status }: Message, { otp }: Draft) {
  return { ESME: { messageId: id, otp, status } }
}

/** `twin` is a second name for the retry count, for clients that know it by that (kernel/words.ts). */
export function logToWire(message: Message, { otp }: Content, twin: string | undefined) {
  return {
    messageId: message.id,
    status: message.status,
    otp,
    destination: message.destination,
    sentAt: utcMicros(message.sentAt),
    doneAt: message.doneAt === undefined ? null : utcMicros(message.doneAt),
    retryCount: message.retryCount,
    ...(twin === undefined ? {} : { [twin]: message.retryCount }),
  }
}

export function outboxToWire(
  message: Message,
  { otp, text }: Content,
  reports: readonly KeptReport[],
) {
  return {
    messageId: message.id,
    destination: message.destination,
    text,
    segments: message.segments,
    encoding: message.encoding,
    otp,
    status: message.status,
    sentAt: utcMicros(message.sentAt),
    doneAt: message.doneAt === undefined ? null : utcMicros(message.doneAt),
    retryCount: message.retryCount,
    transport: message.transport,
    reference: message.reference ?? null,
    uncertain: message.isUncertain,
    reports: reports.map(({ id, status, at, receivedAt }) => ({
      ...{ id, status, at: utcMicros(at), receivedAt: utcMicros(receivedAt) },
    })),
  }
}
