/** The log of a service, and with the operator token the texts as phones show them. */
import type { Message } from '@kumoi/client'
import { cloud, hasOperator, session } from '../../session.ts'

export interface Sms {
  readonly id: string
  readonly status: string
  readonly otp: string
  readonly destination: string
  readonly sentAt: string
  readonly doneAt: string | null
  readonly retryCount: number
  /** What only the operator sees. */
  readonly outbox: Message | undefined
}

/** As many as one question may name. */
const SHOWN = 50

export async function readMessages(serviceId: string, signal: AbortSignal): Promise<Sms[]> {
  const input = { params: { sms_id: serviceId }, search: { Count: SHOWN } }
  const { logs } = (await cloud().orThrow.smsLogList(input, { signal })).ESME
  const texts = await readTexts(
    logs.map(({ messageId = '' }) => messageId),
    signal,
  )
  return logs.map((log) => ({
    ...{ id: log.messageId ?? '', status: log.status ?? '', otp: log.otp ?? '' },
    ...{ destination: log.destination ?? '', sentAt: log.sentAt ?? '' },
    ...{ doneAt: log.doneAt ?? null, retryCount: log.retryCount ?? 0 },
    outbox: texts.get(log.messageId ?? ''),
  }))
}

async function readTexts(
  ids: readonly string[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Message>> {
  if (ids.length === 0 || !hasOperator(session.value)) return new Map()
  const search = { Filter: { messageId: ids }, Count: SHOWN }
  const { messages } = await cloud().orThrow.smsOutboxList({ search }, { signal })
  return new Map(messages.map((one) => [one.messageId, one]))
}

/** The line at the end that browsers read: `@host #code`. */
export function splitText(text: string): { readonly body: string; readonly otpLine?: string } {
  const end = text.lastIndexOf('\n')
  const last = text.slice(end + 1)
  return end >= 0 && /^@\S+ #[0-9A-Za-z]+$/.test(last)
    ? { body: text.slice(0, end), otpLine: last }
    : { body: text }
}
