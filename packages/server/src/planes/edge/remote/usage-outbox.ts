/**
 * Usage on its way to the server. It is on the disk before it is sent, under a sequence that stays with it: after a
 * crash the same sequence is sent again with the same content, and the server adds it once. While the server is away,
 * what comes is added up by site and hour, so the file stays small.
 */
import type { EdgeUsage } from '../../../services/webaccel/public.ts'
import { readJson, writeJson } from './durable-file.ts'

/** What the server takes in one report. */
const BATCH_MAX = 10_000

interface State {
  /** Of what is being sent, or was sent last. */
  readonly sequence: number
  /** Empty when the server has taken it. */
  readonly sending: readonly EdgeUsage[]
  readonly waiting: readonly EdgeUsage[]
  /** Up to where its source is counted; kept with the usage, so that neither can be without the other. */
  readonly position: string
}

export type SendUsage = (sequence: number, usage: readonly EdgeUsage[]) => Promise<void>

export class UsageOutbox {
  readonly #file: string
  #state: State
  /** Writes and deliveries follow each other. */
  #last: Promise<unknown> = Promise.resolve()

  private constructor(file: string, state: State) {
    this.#file = file
    this.#state = state
  }

  static async open(file: string): Promise<UsageOutbox> {
    const value = await readJson(file)
    const empty = { sequence: 0, sending: [], waiting: [], position: '' }
    return new UsageOutbox(file, value === undefined ? empty : stateOf(value, file))
  }

  get position(): string {
    return this.#state.position
  }

  get isEmpty(): boolean {
    return this.#state.sending.length === 0 && this.#state.waiting.length === 0
  }

  /** Fulfilled when it is on the disk. */
  add(usage: readonly EdgeUsage[], position = this.#state.position): Promise<void> {
    return this.#afterOthers(async () => {
      if (usage.length === 0 && position === this.#state.position) return
      const waiting = sumOf([...this.#state.waiting, ...usage])
      await this.#write({ ...this.#state, waiting, position })
    })
  }

  /** Sends what there is; rejects when the server did not take it, and the same is sent the next time. */
  deliver(send: SendUsage): Promise<void> {
    return this.#afterOthers(async () => {
      for (;;) {
        if (this.#state.sending.length === 0) await this.#takeWaiting()
        if (this.#state.sending.length === 0) return
        await send(this.#state.sequence, this.#state.sending)
        // If we crash before it is written, the sequence is repeated, which adds nothing.
        await this.#write({ ...this.#state, sending: [] })
      }
    })
  }

  async #takeWaiting(): Promise<void> {
    const { sequence, waiting } = this.#state
    if (waiting.length === 0) return
    const sending = waiting.slice(0, BATCH_MAX)
    const rest = waiting.slice(BATCH_MAX)
    await this.#write({ ...this.#state, sequence: sequence + 1, sending, waiting: rest })
  }

  async #write(state: State): Promise<void> {
    await writeJson(this.#file, state)
    this.#state = state
  }

  #afterOthers<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => undefined)
    return result
  }
}

/** One for each site and hour. */
export function sumOf(usage: readonly EdgeUsage[]): EdgeUsage[] {
  const sums = new Map<string, EdgeUsage>()
  for (const one of usage) {
    const key = `${one.siteId} ${one.hour}`
    const sum = sums.get(key)
    sums.set(
      key,
      sum === undefined
        ? one
        : {
            ...one,
            accessCount: sum.accessCount + one.accessCount,
            hitCount: sum.hitCount + one.hitCount,
            bytesSent: sum.bytesSent + one.bytesSent,
            cacheMissBytesSent: sum.cacheMissBytesSent + one.cacheMissBytesSent,
          },
    )
  }
  return [...sums.values()]
}

function stateOf(value: unknown, file: string): State {
  const { sequence, sending, waiting, position } = Object(value)
  const isState =
    Number.isSafeInteger(sequence) &&
    Array.isArray(sending) &&
    Array.isArray(waiting) &&
    typeof position === 'string'
  if (!isState) throw new Error(`${file} does not hold the usage of an edge.`)
  return { sequence, sending, waiting, position }
}
