/** The mixed load: some clients, each with things of its own, one change after the other. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Choices, seedOf } from '../../tools/fuzz/random.ts'
import type { Outcome } from '../../tools/fuzz/target.ts'
import type { Counters } from './counters.ts'
import { kinds } from './kinds.ts'
import type { Kind, Ledger, Thing } from './ledger.ts'
import type { Call } from './server.ts'

const CLIENTS = 6
/** More would make the last comparison long; the others are left as they are. */
const KEPT = 20
const PATIENCE_MS = 60_000

export class Load {
  readonly #ledger: Ledger
  readonly #counters: Counters
  readonly #seed: number
  readonly #clients: readonly Thing[][] = Array.from({ length: CLIENTS }, () => [])
  readonly #kinds: readonly Kind[]
  #rounds = 0
  #values = 0

  constructor(ledger: Ledger, counters: Counters, seed: number) {
    this.#ledger = ledger
    this.#counters = counters
    this.#seed = seed
    this.#kinds = [...kinds, counters.files]
  }

  /**
   * Begins a round. `callOf` answers with how client N reaches a server. A client ends when it is to stop, or where
   * `goesOn` says so of what came of its last change: by default when there was no answer.
   */
  begin(
    callOf: (client: number) => Call,
    goesOn: (outcome: Outcome, client: number) => boolean = ({ problem }) => problem === undefined,
  ): { end(): Promise<void> } {
    this.#rounds += 1
    let isOver = false
    const clients = this.#clients.map(async (things, client) => {
      const choices = new Choices(seedOf(this.#seed, this.#rounds * CLIENTS + client))
      while (!isOver) {
        const outcome = await this.#change(callOf(client), things, choices)
        if (!goesOn(outcome, client)) return
      }
    })
    return {
      async end() {
        isOver = true
        await Promise.all(clients)
      },
    }
  }

  /** Fulfilled when so many more writes were answered: on a machine that is busy that may take a while. */
  async untilAnswered(count: number): Promise<void> {
    const wanted = this.#ledger.answered + count
    for (let waited = 0; this.#ledger.answered < wanted; waited += 1) {
      if (waited > PATIENCE_MS) throw new Error('The server does not answer.')
      await sleep(1)
    }
  }

  #change(call: Call, things: Thing[], choices: Choices): Promise<Outcome> {
    if (choices.oneIn(3)) return this.#counters.add(call, this.#ledger, choices.below(3))
    // What the last change of a thing came to is found out by the next comparison.
    const known = things.filter(
      ({ possible }) => possible.length === 1 && possible[0] !== undefined,
    )
    this.#values += 1
    const value = `v${this.#values}`
    if (known.length < 5 || choices.oneIn(3)) {
      const thing = this.#ledger.newThing(choices.pick(this.#kinds))
      things.push(thing)
      if (things.length > KEPT) things.shift()
      return this.#ledger.change(thing, value, () => thing.kind.create(call, thing, value))
    }
    const thing = choices.pick(known)
    const { update, delete: remove } = thing.kind
    return remove !== undefined && choices.oneIn(3)
      ? this.#ledger.change(thing, undefined, () => remove(call, thing))
      : this.#ledger.change(thing, value, () => update(call, thing, value))
  }
}
