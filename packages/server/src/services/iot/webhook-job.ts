/**
 * Sends outgoing webhooks. At least once: a row of the outbox goes only when its outcome is stored. Up to
 * 20 are under way at once, oldest first; one that has to be repeated comes after others, so receivers
 * tell the order by the message's id (docs/adr/0086).
 */
import type { Job } from '../../kernel/job.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Effect, Outbox } from '../../storage/outbox.ts'
import type { Adapter } from './adapter-rules.ts'
import { AdapterStore, setDisabled } from './adapter-store.ts'
import { WEBHOOK, type WebhookEffect } from './deliveries.ts'
import { type Attempt, type Delivery, GONE, nextAttempt } from './delivery-rules.ts'
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
  readonly clock: { now(): Date }
  /** The name of a header that signs the body alone, in a profile that has one. */
  readonly bodyHeader: string | undefined
}

const AT_ONCE = 20
const CLAIMED = 100
/** Bounds one run, so that its lease does not end before it. */
const ROUNDS = 20
/** Longer than one may take, so that no second process sends it meanwhile. */
const CLAIM_SECONDS = 30

export function webhookJob(parts: WebhookParts): Job<Database> {
  return {
    name: WEBHOOK,
    nextDue: (database) => database.read((tx) => new Outbox(tx, WEBHOOK).nextDue()),
    async run(database) {
      let tried = 0
      for (let round = 0; round < ROUNDS; round += 1) {
        const now = parts.clock.now()
        const until = new Date(now.getTime() + CLAIM_SECONDS * 1000)
        const effects = await database.write((tx) =>
          new Outbox<WebhookEffect>(tx, WEBHOOK).claim(now, until, CLAIMED),
        )
        await inParallel(effects, (effect) => carryOut(database, effect, parts))
        tried += effects.length
        if (effects.length < CLAIMED) break
      }
      return `${tried} webhooks tried`
    },
  }
}

async function inParallel<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const rest = all.values()
  const worker = async () => {
    for (const one of rest) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
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
    return delivery && adapter && message && { delivery, adapter, message }
  })
  // The adapter was deleted, and with it what it was to receive.
  if (found === undefined) {
    await database.write((tx) => new Outbox(tx, WEBHOOK).done(effect.id))
    return
  }
  const { delivery, adapter, message } = found
  const isOff = adapter.disabledAt !== undefined && !isOrdered
  const body = Buffer.from(JSON.stringify(messageToWire(message)))
  const posted = isOff ? OFF : await send(adapter, messageId(message), body, parts)
  await database.write((tx) => settle(tx, effect, delivery, adapter, posted, parts))
}

const OFF: Posted = {
  outcome: 'refused',
  status: undefined,
  reason: `the adapter is disabled, since its receiver has answered ${GONE}`,
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

async function settle(
  tx: Tx,
  effect: Effect<WebhookEffect>,
  delivery: Delivery,
  adapter: Adapter,
  { outcome, status, reason }: Posted,
  { random, clock }: WebhookParts,
): Promise<void> {
  const now = clock.now()
  const chance = random.bytes(4).readUInt32BE() / 2 ** 32
  const isGone = status === GONE
  const again =
    outcome === 'failed' && !isGone ? nextAttempt(effect.attempts, now, chance) : undefined
  const place = delivery.attempts + 1
  const deliveries = new DeliveryStore(tx)
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
  const outbox = new Outbox<WebhookEffect>(tx, WEBHOOK)
  await (again === undefined ? outbox.done(effect.id) : outbox.retry(effect.id, again))
}
