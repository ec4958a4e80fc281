/**
 * Sends what waits, element by element, and forgets what is old. A process that dies leaves its claims, which are
 * taken again when they have expired: an element that has ended the session meanwhile answers that it knows none.
 */
import { pause } from '../../kernel/clock.ts'
import type { Job } from '../../kernel/job.ts'
import { nextMultiple } from '../../kernel/steps.ts'
import { DAY_MS, secondsAfter } from '../../kernel/units.ts'
import { deleteOlder, inBatches, oldestOf } from '../../storage/aged-rows.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Effect, Outbox } from '../../storage/outbox.ts'
import { SettingStore } from '../settings/public.ts'
import { FORGET_REQUESTS_JOB, REQUEST_JOB, topicOf } from './queue.ts'
import { type Answer, type ElementRequest, outcomeOf, unavailableUntil } from './rules.ts'
import {
  PACKETS_MAX,
  SEND_SECONDS_MAX,
  type Sender,
  type SendResult,
  type Target,
} from './sender.ts'
import { AGED_REQUESTS, RequestStore } from './store.ts'

/** Longer than sending may take, so that no second process sends it meanwhile. */
const CLAIM_SECONDS = SEND_SECONDS_MAX + 5
/** Elements that are sent to at the same time. */
const ELEMENTS_AT_ONCE = 16
/** In real time: what others get meanwhile does not wait for an element that is silent. */
const CHECK_MS = 250

const NOTHING: Answer = { answer: 'none', reason: 'nothing was sent' }
const NO_ELEMENT: ReturnType<typeof outcomeOf> = {
  ...{ state: 'no_answer', errorCause: undefined, answeredAt: undefined, retryAt: undefined },
  reason: 'the network element is no longer known',
}

/** Where an element is, and its secret; undefined when it is no longer known. */
export type FindTarget = (tx: Tx, element: string) => Promise<Target | undefined>

interface Parts {
  readonly sender: Sender
  readonly findTarget: FindTarget
  readonly clock: { now(): Date }
}

export function requestJob(parts: Parts): Job<Database> {
  return {
    name: REQUEST_JOB,
    nextDue: (database, now) =>
      database.read(async (tx) => (await waitingElements(tx, now)).map(({ due }) => due)[0]),
    async run(database, _now, signal) {
      const busy = new Map<string, Promise<void>>()
      const failures: unknown[] = []
      let answered = 0
      for (;;) {
        for (const name of signal?.aborted ? [] : await dueElements(database, parts.clock.now())) {
          if (busy.has(name) || busy.size >= ELEMENTS_AT_ONCE) continue
          const sending = sendTo(name, database, parts)
            .then((count) => {
              answered += count
            })
            .catch((error) => failures.push(error))
            .then(() => void busy.delete(name))
          busy.set(name, sending)
        }
        if (busy.size === 0) break
        await Promise.race([...busy.values(), pause(CHECK_MS)])
        if (failures.length > 0) break
      }
      await Promise.all(busy.values())
      if (failures.length > 0) throw failures[0]
      return `${answered} requests answered`
    },
  }
}

function dueElements(database: Database, now: Date): Promise<string[]> {
  return database.read(async (tx) =>
    (await waitingElements(tx, now)).filter(({ due }) => due <= now).map(({ name }) => name),
  )
}

/** In the order in which they are due. */
async function waitingElements(tx: Tx, now: Date) {
  const waiting: { name: string; due: Date }[] = []
  for (const name of await new RequestStore(tx).listWaitingElements()) {
    const due = await new Outbox(tx, topicOf(name)).nextDue(now)
    if (due !== undefined) waiting.push({ name, due })
  }
  return waiting.sort((a, b) => a.due.getTime() - b.due.getTime())
}

interface Claimed {
  readonly effect: Effect<unknown>
  readonly request: ElementRequest | undefined
}

type Result = SendResult | { readonly outcome: 'no_element' }

/** Sends what is due, at most as much as goes at once; answers with how many requests were answered. */
async function sendTo(element: string, database: Database, parts: Parts): Promise<number> {
  const { target, claimed } = await claim(element, database, parts)
  const requests = claimed.flatMap(({ request }) => request ?? [])
  const result = await send(target, requests, parts.sender)
  return database.write((tx) => settle(tx, element, claimed, result, parts.clock.now()))
}

function claim(element: string, database: Database, { findTarget, clock }: Parts) {
  return database.write(async (tx) => {
    const now = clock.now()
    const until = secondsAfter(now, CLAIM_SECONDS)
    const effects = await new Outbox(tx, topicOf(element)).claim(now, until, PACKETS_MAX)
    const requests = await new RequestStore(tx).listWaiting(effects.map(({ id }) => id))
    const byId = new Map(requests.map((request) => [request.id, request]))
    const claimed = effects.map((effect) => ({ effect, request: byId.get(effect.id) }))
    return { claimed, target: await findTarget(tx, element) }
  })
}

async function send(
  target: Target | undefined,
  requests: readonly ElementRequest[],
  sender: Sender,
): Promise<Result> {
  if (requests.length === 0) return { outcome: 'sent', answers: [] }
  return target === undefined ? { outcome: 'no_element' } : sender.send(target, requests)
}

async function settle(
  tx: Tx,
  element: string,
  claimed: readonly Claimed[],
  result: Result,
  now: Date,
): Promise<number> {
  const outbox = new Outbox(tx, topicOf(element))
  const store = new RequestStore(tx)
  if (result.outcome === 'unavailable') {
    const effects = claimed.map(({ effect }) => effect)
    const createdAt = effects.map((effect) => effect.createdAt)
    await outbox.release(effects, unavailableUntil(createdAt, now))
    await store.setReason(
      effects.map(({ id }) => id),
      result.reason,
    )
    return 0
  }
  const answers = result.outcome === 'sent' ? result.answers.values() : undefined
  let answered = 0
  for (const { effect, request } of claimed) {
    const { attempts } = effect
    const { retryAt, ...outcome } =
      request === undefined || answers === undefined
        ? NO_ELEMENT
        : outcomeOf({ kind: request.kind, attempts }, answers.next().value ?? NOTHING, now)
    const isOurs = await (retryAt === undefined
      ? outbox.done(effect)
      : outbox.retry(effect, retryAt))
    if (!isOurs) continue
    const isWaiting = await store.update(effect.id, attempts, outcome)
    // Replaced by a later one, so there is no next attempt.
    if (!isWaiting && retryAt !== undefined) await outbox.done(effect)
    if (outcome.answeredAt !== undefined) answered += 1
  }
  return answered
}

/** Once a day at most, when a row is old enough: as long as the session log is kept. */
export const forgetRequestsJob: Job<Database> = {
  name: FORGET_REQUESTS_JOB,
  steady: true,
  nextDue: (database) =>
    database.read(async (tx) => {
      const oldest = await oldestOf<number>(tx, AGED_REQUESTS)
      if (oldest === undefined) return undefined
      const days = await new SettingStore(tx).get('session_log_days')
      return nextMultiple(oldest + days * DAY_MS, DAY_MS)
    }),
  async run(database, now, signal) {
    const days = await database.read((tx) => new SettingStore(tx).get('session_log_days'))
    const before = new Date(now.getTime() - days * DAY_MS)
    const forgotten = await inBatches(
      database,
      (tx, most) => deleteOlder(tx, AGED_REQUESTS, before, most),
      signal,
    )
    return `${forgotten} requests forgotten`
  },
}
