/**
 * The way of a message to the network. The send writes a row of the outbox in its own transaction; here
 * the row is claimed, the message submitted, and the answer settled. A process that dies in between
 * leaves the row: it is claimed again, and a transport that recognises repeats is asked again. One that
 * does not is not: then only a report can tell, or the end of the validity (docs/adr/0024-outbox.md).
 */
import { secondsAfter } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Effect, Outbox } from '../../storage/outbox.ts'
import type { ContentBox } from './content.ts'
import { DeliveryStore } from './delivery-store.ts'
import { endOf, isOutcome, type KeptReport } from './report-rules.ts'
import { ReportStore } from './report-store.ts'
import { isWaiting, type Message, type MessageId, retryDelaySeconds } from './rules.ts'
import type { Step } from './step.ts'
import type { Report, SubmitAnswer, Transport } from './transport.ts'

const TOPIC = 'sms'
/** Nobody else submits a claimed message within this time. */
export const CLAIM_SECONDS = 10
const SUBMITS_AT_ONCE = 100

interface Payload {
  readonly messageId: MessageId
}

interface Claimed {
  readonly effect: Effect<Payload>
  readonly message: Message | undefined
}

/**
 * `nothing`: there was nothing to submit. `unknown`: nobody knows what became of it. `unsettled`: the same of an
 * earlier try, which must not be repeated.
 */
type Answer = SubmitAnswer | { readonly answer: 'nothing' | 'unknown' | 'unsettled' }

/** Plans a try; answers with a number that counts up. */
export function planSubmit(tx: Tx, messageId: MessageId, now: Date, at?: Date): Promise<number> {
  return new Outbox<Payload>(tx, TOPIC).put({ messageId }, now, at)
}

/**
 * What the network says of a message. False when there is no such message, and none that is waiting for the
 * answer that tells its reference: a report may come before that answer.
 */
export async function recordReport(tx: Tx, report: Report, now: Date): Promise<boolean> {
  const store = new DeliveryStore(tx)
  const { reference, reportId: id = '', outcome: status, at } = report
  const kept = { id, status, at, receivedAt: now }
  const message =
    'messageId' in report
      ? (await store.listByIds([report.messageId]))[0]
      : await store.findByReference(report.reference)
  if (message !== undefined) {
    if (reference !== undefined && message.reference === undefined) {
      await store.setReference(message.id, reference)
    }
    await applyReport(tx, message, kept)
    return true
  }
  if ('messageId' in report || !(await store.isAnyUnanswered(now))) return false
  await new ReportStore(tx).insertEarly(report.reference, kept)
  return true
}

/** A message that has ended stays as it is; that it was reported on is kept all the same. */
async function applyReport(tx: Tx, { id, sentAt }: Message, report: KeptReport): Promise<void> {
  await new ReportStore(tx).insert(id, report)
  if (!isOutcome(report.status)) return
  await new DeliveryStore(tx).end(id, report.status, endOf(report.at, sentAt))
}

export function submitting(transport: Transport, content: ContentBox): Step {
  return {
    nextDue: (tx, now) => new Outbox(tx, TOPIC).nextDue(now),
    async run(database, now) {
      let submitted = 0
      for (;;) {
        const claimed = await claim(database, transport, now)
        if (claimed.length === 0) return `${submitted} submitted`
        const answers = await Promise.all(
          claimed.map((one) => submit(one, transport, content, now)),
        )
        await database.write(async (tx) => {
          for (const [index, one] of claimed.entries()) {
            await settle(tx, one, answers[index] ?? { answer: 'unknown' }, transport, now)
          }
        })
        submitted += claimed.length
      }
    },
  }
}

function claim(database: Database, { name }: Transport, now: Date): Promise<Claimed[]> {
  return database.write(async (tx) => {
    const until = secondsAfter(now, CLAIM_SECONDS)
    const effects = await new Outbox<Payload>(tx, TOPIC).claim(now, until, SUBMITS_AT_ONCE)
    const ids = effects.map(({ payload }) => payload.messageId)
    const store = new DeliveryStore(tx)
    const found = await store.listByIds(ids)
    const byId = new Map(found.map((message) => [message.id, message]))
    const claimed = effects.map((effect) => ({
      effect,
      message: byId.get(effect.payload.messageId),
    }))
    // In this transaction, so that after a crash it is known which network may have the message.
    const moved = claimed.flatMap(({ effect, message }) =>
      effect.attempts > 1 || message === undefined || message.transport === name ? [] : message.id,
    )
    if (moved.length > 0) await store.setTransport(moved, name)
    return claimed
  })
}

async function submit(
  { effect, message }: Claimed,
  transport: Transport,
  content: ContentBox,
  now: Date,
): Promise<Answer> {
  if (message === undefined || !isWaiting(message, now)) return { answer: 'nothing' }
  // A planned retry is a row of its own, so a second claim means that the first was never settled. A network
  // recognises what was submitted to itself, not to the one that was chosen before a restart.
  const mayRepeat = transport.recognisesRepeats && message.transport === transport.name
  if (effect.attempts > 1 && !mayRepeat) return { answer: 'unsettled' }
  const { id, destination, encoding, segments, retryCount, expiresAt } = message
  const { text, sender } = content.open(message)
  const submission = { destination, sender, text, encoding, segments, retryCount }
  try {
    return await transport.submit({ messageId: id, ...submission, validUntil: expiresAt }, now)
  } catch {
    // The port throws when it cannot know; what went wrong is its own to log.
    return { answer: 'unknown' }
  }
}

async function settle(
  tx: Tx,
  { effect, message }: Claimed,
  answer: Answer,
  { name, recognisesRepeats }: Transport,
  now: Date,
): Promise<void> {
  // Left as claimed, it comes again when the claim has run out.
  if (answer.answer === 'unknown' && recognisesRepeats) return
  // Claimed by another process meanwhile, which settles it.
  if (!(await new Outbox(tx, TOPIC).done(effect))) return
  const store = new DeliveryStore(tx)
  if (message !== undefined) {
    if (answer.answer === 'accepted') {
      await store.setReference(message.id, answer.reference)
      if (name !== 'outbox') await applyEarlyReports(tx, message, answer.reference)
    }
    if (answer.answer === 'unknown' || answer.answer === 'unsettled') {
      await store.setUncertain(message.id)
    }
    if (answer.answer === 'refused') await store.end(message.id, 'Failed', now)
    if (answer.answer === 'throttled') {
      await settleThrottled(tx, message, answer.retryAfterSeconds, now)
    }
  }
}

async function applyEarlyReports(tx: Tx, message: Message, reference: string): Promise<void> {
  for (const early of await new ReportStore(tx).takeEarly(reference)) {
    await applyReport(tx, message, early)
  }
}

async function settleThrottled(
  tx: Tx,
  { id, retryCount, expiresAt }: Message,
  retryAfterSeconds: number | undefined,
  now: Date,
): Promise<void> {
  const at = secondsAfter(now, retryAfterSeconds ?? retryDelaySeconds(retryCount))
  // Past its validity there is no other try: the end of the validity is its end.
  if (at >= expiresAt) return
  if (await new DeliveryStore(tx).countRetry(id, retryCount)) await planSubmit(tx, id, now, at)
}
