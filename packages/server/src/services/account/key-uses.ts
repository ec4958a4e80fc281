/**
 * When keys were last used: remembered in memory and written together once a minute, so that no request waits for it.
 * A later time wins, so that several servers on one database agree; what a crash loses is a minute.
 */
import type { Alarm, Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../storage/database.ts'
import { KeyStore } from './store.ts'

const WRITE_EVERY_MS = 60_000
/** Of one transaction. */
const BATCH_SIZE = 100

export interface KeyUsesOptions {
  readonly database: Database
  /** Says when to write: a world's clock may stand still. */
  readonly machine: Clock
  /** Says when a key was used. */
  readonly world: Pick<Clock, 'now'>
  readonly log: Pick<Log, 'error'>
}

export class KeyUses {
  readonly #options: KeyUsesOptions
  #used = new Map<string, Date>()
  #alarm: Alarm | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: KeyUsesOptions) {
    this.#options = options
  }

  note(token: string): void {
    const { machine, world } = this.#options
    this.#used.set(token, world.now())
    this.#alarm ??= machine.at(new Date(machine.now().getTime() + WRITE_EVERY_MS), 'key uses', () =>
      this.write(),
    )
  }

  /** Writes what was noted so far. Never rejects: a use that cannot be written is lost, and logged. */
  write(): Promise<void> {
    this.#alarm?.cancel()
    this.#alarm = undefined
    const used = [...this.#used]
    this.#used = new Map()
    this.#writing = this.#writing
      .then(() => this.#store(used))
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'key uses not written'))
    return this.#writing
  }

  async #store(used: readonly [string, Date][]): Promise<void> {
    // In one order everywhere, so that two servers do not wait for each other.
    const sorted = used.toSorted(([one], [other]) => (one < other ? -1 : 1))
    for (let at = 0; at < sorted.length; at += BATCH_SIZE) {
      await this.#options.database.write(async (tx) => {
        const keys = new KeyStore(tx)
        await Promise.all(
          sorted.slice(at, at + BATCH_SIZE).map(([token, usedAt]) => keys.noteUse(token, usedAt)),
        )
      })
    }
  }
}
