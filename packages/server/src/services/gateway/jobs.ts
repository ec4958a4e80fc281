/** Sends chat messages. What fails is tried again after a while, and given up after some tries. */

import type { Job } from '../../kernel/job.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { type Effect, Outbox } from '../../storage/outbox.ts'
import { nextAttempt } from './notice-rules.ts'
import { NoticeStore } from './notice-store.ts'
import { CHAT, type ChatMessage } from './notices.ts'

/** Sends the JSON there; `refused` when it may not, which trying again would not change. */
export type Post = (url: string, body: object) => Promise<'sent' | 'failed' | 'refused'>

const AT_ONCE = 20
/** Longer than a message may take, so that no second process sends it meanwhile. */
const CLAIM_SECONDS = 60

export function chatJob(post: Post): Job<Database> {
  return {
    name: CHAT,
    nextDue: (database) => database.read((tx) => new Outbox(tx, CHAT).nextDue()),
    async run(database, now) {
      const until = secondsAfter(now, CLAIM_SECONDS)
      const messages = await database.write((tx) =>
        new Outbox<ChatMessage>(tx, CHAT).claim(now, until, AT_ONCE),
      )
      const outcomes = await Promise.all(
        messages.map(async (message) => {
          const outcome = await post(message.payload.url, { text: message.payload.text })
          await settle(database, message, outcome, now)
          return outcome
        }),
      )
      const sent = outcomes.filter((outcome) => outcome === 'sent').length
      return `${sent} of ${messages.length} messages sent`
    },
  }
}

async function settle(
  database: Database,
  message: Effect<ChatMessage>,
  outcome: Awaited<ReturnType<Post>>,
  now: Date,
): Promise<void> {
  const { attempts, payload } = message
  const again = outcome === 'failed' ? nextAttempt(attempts, now) : undefined
  await database.write(async (tx) => {
    const outbox = new Outbox<ChatMessage>(tx, CHAT)
    const notices = new NoticeStore(tx)
    if (again === undefined) {
      if (!(await outbox.done(message))) return
      const status = outcome === 'sent' ? 'sent' : 'failed'
      await notices.settle(payload.noticeId, status, attempts, now)
    } else if (await outbox.retry(message, again)) {
      await notices.settle(payload.noticeId, 'waiting', attempts, undefined)
    }
  })
}
