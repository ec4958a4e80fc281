/** Waiting in a test for what the cloud does by itself. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '@kumoi/client'
import type {
  Delivery,
  DeliveryWithMessage,
  Match,
  Notice,
  ShortMessage,
  Waiting,
  WaitOptions,
} from './testing-types.ts'

const TIMEOUT_MS = 5000
const PAUSE_MS = 10
/** How many a message shows of what there was instead. */
const SHOWN_MAX = 5

/** `what` is the noun of a sentence; `list` answers newest first. */
export interface Source<T> {
  readonly what: string
  list(): Promise<readonly T[]>
  /** Why it may not have come, as a sentence; empty when there is nothing to say. */
  hint(): Promise<string>
}

export async function waitFor<T extends object>(
  { what, list, hint }: Source<T>,
  match: Match<T> = {},
  { timeoutMs = TIMEOUT_MS }: WaitOptions = {},
): Promise<T> {
  const end = performance.now() + timeoutMs
  for (;;) {
    const all = await list()
    const found = all.find((one) => isMatch(one, match))
    if (found !== undefined) return found
    if (performance.now() >= end) {
      const wanted = `No ${what}${wantedBy(match)} came within ${timeoutMs} ms.`
      throw new Error([wanted, present(all), await hint()].join(' ').trimEnd())
    }
    await sleep(PAUSE_MS)
  }
}

function isMatch<T extends object>(one: T, match: Match<T>): boolean {
  if (typeof match === 'function') return match(one)
  return Object.entries(match).every(([name, value]) => one[name as keyof T] === value)
}

function wantedBy<T>(match: Match<T>): string {
  if (typeof match === 'function') return ' that the given function accepts'
  return Object.keys(match).length === 0 ? '' : ` with ${JSON.stringify(match)}`
}

function present(all: readonly object[]): string {
  if (all.length === 0) return 'There was none at all.'
  const shown = all.slice(0, SHOWN_MAX).map((one) => JSON.stringify(one))
  const which = all.length > SHOWN_MAX ? `the newest ${SHOWN_MAX} of ${all.length}` : all.length
  return `There was something else (${which}): ${shown.join(', ')}.`
}

export interface Waits {
  readonly sms: Waiting<ShortMessage>
  readonly webhooks: Waiting<Delivery, DeliveryWithMessage>
  readonly notices: Waiting<Notice>
}

/** 0 asks for as many as the server gives. */
const search = { Count: 0 }

export function waitsOf({ orThrow }: Client): Waits {
  const hint = () => clockHint(orThrow)
  const source = <T extends object>(what: string, list: Source<T>['list']) => ({ what, list, hint })
  const sms = source(
    'short message',
    async () => (await orThrow.smsOutboxList({ search })).messages,
  )
  const notices = source('notice', async () => (await orThrow.noticeList({ search })).notices)
  const deliveries = source('delivery', async () => {
    const { webhooks } = await orThrow.webhookOutboxList({ search })
    return webhooks.filter(({ attempts, status }) => attempts > 0 || status === 'dead')
  })
  return {
    sms: { waitFor: (match, options) => waitFor(sms, match, options) },
    notices: { waitFor: (match, options) => waitFor(notices, match, options) },
    webhooks: {
      async waitFor(match, options) {
        const found = await waitFor(deliveries, match, options)
        const { webhook } = await orThrow.webhookOutboxRead({ params: { webhook_id: found.id } })
        return { ...found, message: webhook.message }
      },
    },
  }
}

/** On a clock that stands still, what is due later comes only when the clock is moved. */
export async function clockHint(orThrow: Client['orThrow']): Promise<string> {
  const { mode, now } = await orThrow.clockRead()
  if (mode !== 'frozen') return ''
  const [next] = (await orThrow.clockTimers()).timers
  const due = next === undefined ? '' : `; the next job, ${next.name}, is due at ${next.at}`
  return `The clock stands still at ${now}${due}.`
}
