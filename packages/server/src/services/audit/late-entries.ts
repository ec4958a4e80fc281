/**
 * Writes what has no transaction of its own: refusals. The caller does not wait for it. A key that is refused all the
 * time must not fill the trail, nor have the refusals of others lost: beyond a number a minute, its own are counted only.
 */
import type { AuditEntry } from '../../kernel/audit-entry.ts'
import { type Alarm, every } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../storage/database.ts'
import { AuditStore } from './store.ts'

/** More are waiting only where the database does not keep up; what comes then is logged as lost. */
export const WAITING_MAX = 10_000
/** Refusals of one key that are written in a minute. */
export const REFUSALS_MAX = 60
/** Keys that are counted in a minute; refusals of more are not written. */
const KEYS_MAX = 10_000
const WINDOW_MS = 60_000
const ROWS_AT_ONCE = 500

export class LateEntries {
  readonly #database: Pick<Database, 'write'>
  readonly #log: Log
  readonly #every: typeof every
  #waiting: AuditEntry[] = []
  #writing: Promise<void> | undefined
  /** Runs out a minute after the first refusal or loss; then all counts begin anew. */
  #window: Alarm | undefined
  readonly #refusals = new Map<string, number>()
  #omitted = 0
  #lost = 0
  #lossError: unknown

  /** `realTime` is what a test controls. */
  constructor(database: Pick<Database, 'write'>, log: Log, realTime = every) {
    this.#database = database
    this.#log = log
    this.#every = realTime
  }

  /** `key` is whose call it was. */
  add(entry: AuditEntry, key: string): void {
    if (entry.status >= 400 && !this.#countRefusal(key)) {
      this.#omitted += 1
    } else if (this.#waiting.length >= WAITING_MAX) {
      this.#lose(1, new Error('Too many entries of the audit trail are waiting.'))
    } else {
      this.#waiting.push(entry)
      this.#writing ??= this.#writeAll()
    }
  }

  /** Resolves when all that was added is written, and what was not is in the log. */
  async settled(): Promise<void> {
    await this.#writing
    this.#endWindow()
  }

  /** False when there were too many. */
  #countRefusal(key: string): boolean {
    this.#startWindow()
    const before = this.#refusals.get(key) ?? 0
    if (before >= REFUSALS_MAX || (before === 0 && this.#refusals.size >= KEYS_MAX)) return false
    this.#refusals.set(key, before + 1)
    return true
  }

  /** Never rejects. What comes during a write is written by the next one. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, ROWS_AT_ONCE)
      try {
        await this.#database.write(async (tx) => {
          const store = new AuditStore(tx)
          for (const entry of entries) await store.insert(entry)
        })
      } catch (error) {
        this.#lose(entries.length, error)
      }
    }
    this.#writing = undefined
  }

  #lose(entries: number, error: unknown): void {
    this.#startWindow()
    this.#lost += entries
    this.#lossError = error
  }

  #startWindow(): void {
    this.#window ??= this.#every(WINDOW_MS, () => this.#endWindow())
  }

  /** One record of each kind, however many there were. */
  #endWindow(): void {
    this.#window?.cancel()
    this.#window = undefined
    this.#refusals.clear()
    if (this.#lost > 0) {
      this.#log.error({ entries: this.#lost, err: this.#lossError }, 'audit entries lost')
    }
    if (this.#omitted > 0) {
      const err = new Error(`A key was refused more than ${REFUSALS_MAX} times in a minute.`)
      this.#log.error({ entries: this.#omitted, err }, 'refusals not in the audit trail')
    }
    this.#lost = 0
    this.#omitted = 0
  }
}
