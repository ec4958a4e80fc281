/** Sends chat messages and mails. What fails is tried again after a while, and given up after some tries. */
import type { Job } from '../../kernel/job.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { type Effect, Outbox } from '../../storage/outbox.ts'
import { type Mailer, SEND_SECONDS_MAX, type SendResult } from '../mail/public.ts'
import { noticeMail } from './notice-mail-rules.ts'
import { nextAttempt, nextMailAttempt } from './notice-rules.ts'
import { NoticeStore } from './notice-store.ts'
import { CHAT, type ChatMessage, MAIL, type MailMessage } from './notices.ts'

/** Sends the JSON there; `refused` when it may not, which trying again would not change. */
export type Post = (url: string, body: object) => Promise<'sent' | 'failed' | 'refused'>

interface Sender<Message> {
  readonly topic: string
  readonly atOnce: number
  /** Longer than a message may take, so that no second process sends it meanwhile. */
  readonly claimSeconds: number
  /** When a failed one is tried again; undefined when it has been tried often enough. */
  readonly nextAttempt: (attempts: number, now: Date) => Date | undefined
  send(message: Message, database: Database): Promise<Sent>
}

interface Sent {
  readonly outcome: 'sent' | 'failed' | 'refused'
  readonly reason?: string
}

export function chatJob(post: Post): Job<Database> {
  return sendingJob<ChatMessage>({
    ...{ topic: CHAT, atOnce: 20, claimSeconds: 60, nextAttempt },
    send: async ({ url, text }) => ({ outcome: await post(url, { text }) }),
  })
}

/** Few at once: mail servers bound the connections of a client. */
export function mailJob(mailer: Mailer): Job<Database> {
  return sendingJob<MailMessage>({
    ...{ topic: MAIL, atOnce: 4, claimSeconds: 2 * SEND_SECONDS_MAX },
    nextAttempt: nextMailAttempt,
    async send({ noticeId }, database): Promise<SendResult> {
      const notice = await database.read((tx) => new NoticeStore(tx).get(noticeId))
      const { target: to, language, messageId } = notice
      if (to === undefined || language === undefined || messageId === undefined) {
        throw new Error(`Notice ${noticeId} waits to be sent without an address.`)
      }
      return mailer.send({ ...noticeMail(notice, language), to, language, messageId })
    },
  })
}

function sendingJob<Message extends { readonly noticeId: number }>(
  sender: Sender<Message>,
): Job<Database> {
  const { topic } = sender
  return {
    name: topic,
    nextDue: (database, now) => database.read((tx) => new Outbox(tx, topic).nextDue(now)),
    async run(database, now) {
      const until = secondsAfter(now, sender.claimSeconds)
      const messages = await database.write((tx) =>
        new Outbox<Message>(tx, topic).claim(now, until, sender.atOnce),
      )
      const outcomes = await Promise.all(
        messages.map(async (message) => {
          const sent = await sender.send(message.payload, database)
          await settle(database, sender, message, sent, now)
          return sent.outcome
        }),
      )
      const sent = outcomes.filter((outcome) => outcome === 'sent').length
      return `${sent} of ${messages.length} messages sent`
    },
  }
}

async function settle<Message extends { readonly noticeId: number }>(
  database: Database,
  sender: Sender<Message>,
  message: Effect<Message>,
  { outcome, reason }: Sent,
  now: Date,
): Promise<void> {
  const { attempts, payload } = message
  const again = outcome === 'failed' ? sender.nextAttempt(attempts, now) : undefined
  await database.write(async (tx) => {
    const outbox = new Outbox<Message>(tx, sender.topic)
    const isOurs = await (again === undefined ? outbox.done(message) : outbox.retry(message, again))
    if (!isOurs) return
    const notices = new NoticeStore(tx)
    const notice = await notices.get(payload.noticeId)
    const status = again !== undefined ? 'waiting' : outcome === 'sent' ? 'sent' : 'failed'
    const doneAt = again === undefined ? now : undefined
    await notices.update({ ...notice, status, attempts, reason, doneAt })
  })
}
