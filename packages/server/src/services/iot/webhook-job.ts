/**
 * Sends outgoing webhooks. At least once: a row of the outbox is deleted only when its outcome is stored. Up to
 * 20 are under way at once, oldest first; one that has to be repeated comes after others, so receivers
 * tell the order by the message's id (docs/adr/0024-outbox.md).
 *
 * Times are bounded so that nobody else sends what is being sent: a request takes 10 seconds at most, none begins
 * later than 10 seconds after its claim, and a claim lasts for 30.
 */
import { type Clock, stopwatch } from '../../kernel/clock.ts'
import type { Job } from '../../kernel/job.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import { secondsAfter } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Effect, Outbox } from '../../storage/outbox.ts'
import type { Adapter } from './adapter-rules.ts'
import { AdapterStore, setDisabled } from './adapter-store.ts'
import { WEBHOOK, type WebhookEffect } from './deliveries.ts'
import { type Attempt, DISABLED, GONE, nextAttempt } from './delivery-rules.ts'
import { DeliveryStore } from './delivery-store.ts'
import { messageId } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import { messageToWire } from './message-wire.ts'
import { signBody, signWebhook } from './signature-rules.ts'

export interface Posted {
  readonly outcome: Attempt['outcome']
  readonly status: number | undefined
  /** For people, when it was not sent. */
  readonly reason: string | undefined
}

/** Sends the bytes there; `refused` when it may not, which trying again would not change. */
export type Post = (
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
) => Promise<Posted>

export interface WebhookParts {
  readonly post: Post
  readonly box: SecretBox
  readonly random: Random
  readonly clock: Pick<Clock, 'now' | 'scale'>
  /** Real time, which a test controls. */
  readonly stopwatch?: typeof stopwatch
  /** The name of a header that signs the body alone, in a profile that has one. */
  readonly bodyHeader: string | undefined
}

const AT_ONCE = 20
const CLAIMED = 100
const CLAIM_SECONDS = 30
/** No request of a batch begins later than this after the claim. */
const BATCH_MS = 10_000
/** No batch begins later than this in a run; what is left makes the job due again at once. */
const RUN_MS = 20_000

export function webhookJob(parts: WebhookParts): Job<Database> {
  const start = parts.stopwatch ?? stopwatch
  return {
    name: WEBHOOK,
    nextDue: (database, now) => database.read((tx) => new Outbox(tx, WEBHOOK).nextDue(now)),
    async run(database, _now, signal) {
      const inRun = start()
      let tried = 0
      while (inRun() < RUN_MS && !signal?.aborted) {
        const inBatch = start()
        const effects = await claim(database, parts.clock)
        const inTime = () => inBatch() < BATCH_MS && !signal?.aborted
        const rest = await inParallel(effects, inTime, (effect) =>
          carryOut(database, effect, parts),
        )
        if (rest.length > 0) await release(database, rest)
        tried += effects.length - rest.length
        if (effects.length < CLAIMED) break
      }
      return `${tried} webhooks tried`
    },
  }
}

function claim(database: Database, clock: WebhookParts['clock']) {
  const now = clock.now()
  // On a clock that runs fast, so much more of its time passes while a request is under way.
  const until = secondsAfter(now, CLAIM_SECONDS * Math.max(1, clock.scale))
  return database.write((tx) => new Outbox<WebhookEffect>(tx, WEBHOOK).claim(now, until, CLAIMED))
}

function release(database: Database, rest: Effect<WebhookEffect>[]) {
  return database.write((tx) => new Outbox(tx, WEBHOOK).release(rest))
}

/**
 * Returns those that were not begun in time. Waits for all that were begun, also when one of them fails: nothing
 * goes on after the run.
 */
async function inParallel<T>(
  all: readonly T[],
  inTime: () => boolean,
  work: (one: T) => Promise<void>,
): Promise<T[]> {
  const rest = [...all]
  const worker = async () => {
    while (inTime()) {
      const one = rest.shift()
      if (one === undefined) return
      await work(one)
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
  const failed = ended.find((one) => one.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return rest
}

async function carryOut(
  database: Database,
  effect: Effect<WebhookEffect>,
  parts: WebhookParts,
): Promise<void> {
  const { deliveryId, isOrdered } = effect.payload
  const found = await database.read(async (tx) => {
    const delivery = await new DeliveryStore(tx).find(deliveryId)
    const adapter = delivery && (await new AdapterStore(tx, parts.box).find(delivery.adapterId))
    const message =
      delivery && (await new MessageStore(tx).find(delivery.projectId, delivery.number))
    return adapter && message && { adapter, message }
  })
  // The adapter was deleted, and with it what it was to receive.
  if (found === undefined) {
    await database.write((tx) => new Outbox(tx, WEBHOOK).done(effect))
    return
  }
  const { adapter, message } = found
  const isOff = adapter.disabledAt !== undefined && !isOrdered
  const body = Buffer.from(JSON.stringify(messageToWire(message)))
  const posted = isOff ? OFF : await send(adapter, messageId(message), body, parts)
  await database.write((tx) => settle(tx, effect, adapter, posted, parts))
}

const OFF: Posted = {
  outcome: 'refused',
  status: undefined,
  reason: DISABLED,
}

function send(
  { url = '', secret }: Adapter,
  id: string,
  body: Buffer,
  { post, clock, bodyHeader }: WebhookParts,
): Promise<Posted> {
  const seconds = Math.floor(clock.now().getTime() / 1000)
  const signed =
    secret === undefined
      ? {}
      : {
          'webhook-signature': signWebhook(secret, id, seconds, body),
          ...(bodyHeader === undefined ? {} : { [bodyHeader]: signBody(secret, body) }),
        }
  return post(url, body, { 'webhook-id': id, 'webhook-timestamp': String(seconds), ...signed })
}

/** Stores the outcome, unless another process has claimed it meanwhile and stores its own. */
async function settle(
  tx: Tx,
  effect: Effect<WebhookEffect>,
  adapter: Adapter,
  { outcome, status, reason }: Posted,
  { random, clock }: WebhookParts,
): Promise<void> {
  const now = clock.now()
  const chance = random.bytes(4).readUInt32BE() / 2 ** 32
  const isGone = status === GONE
  const again =
    outcome === 'failed' && !isGone ? nextAttempt(effect.attempts, now, chance) : undefined
  const outbox = new Outbox<WebhookEffect>(tx, WEBHOOK)
  const isOurs = await (again === undefined ? outbox.done(effect) : outbox.retry(effect, again))
  const deliveries = new DeliveryStore(tx)
  const delivery = await deliveries.find(effect.payload.deliveryId)
  if (!isOurs || delivery === undefined) return
  const place = delivery.attempts + 1
  const attempt = { place, outcome, responseCode: status, at: now }
  await deliveries.insertAttempt(delivery.id, attempt)
  const ended = outcome === 'sent' ? 'delivered' : 'dead'
  await deliveries.update({
    ...delivery,
    status: again === undefined ? ended : 'waiting',
    attempts: place,
    reason,
    responseCode: status,
    doneAt: again === undefined ? now : undefined,
  })
  if (isGone) await setDisabled(tx, adapter.id, now)
  if (outcome === 'sent' && adapter.disabledAt !== undefined) {
    await setDisabled(tx, adapter.id, undefined)
  }
}
