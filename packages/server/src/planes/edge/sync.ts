/**
 * Keeps an edge up to date: asks the server what has changed, twice a second and when it is woken, and reports usage.
 * The version that it asks with says that everything up to it holds here.
 */
import { type Alarm, after, stopwatch } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type {
  EdgeChanges,
  EdgeProbe,
  EdgeProbeAnswer,
  EdgeServer,
  EdgeStatus,
  EdgeUsage,
} from '../../services/webaccel/public.ts'

const ASK_MS = 500
const REPORT_MS = 2_000

export interface SyncParts {
  readonly server: EdgeServer
  readonly edgeId: string
  readonly log: Log
  readonly now: () => Date
  readonly status: () => EdgeStatus
  /** When it is back, everything of it holds. */
  readonly apply: (changes: EdgeChanges) => void
  readonly probe: (probe: EdgeProbe) => EdgeProbeAnswer
  readonly takeUsage: () => readonly EdgeUsage[]
}

export class Sync {
  readonly #parts: SyncParts
  readonly #elapsedMs = stopwatch()
  #since: number | undefined
  #settingsAt: Date | undefined
  /** When the last answered question was asked. */
  #askedMs = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined
  #isWoken = false
  #isStopped = false
  #isFailing = false
  #alarms: Alarm[] = []
  #unwatch: (() => void) | undefined
  #sequence = 1
  #pending: readonly EdgeUsage[] = []
  #reporting: Promise<void> | undefined

  constructor(parts: SyncParts) {
    this.#parts = parts
  }

  get settingsAt(): Date | undefined {
    return this.#settingsAt
  }

  /** Since the server is known to have seen this edge. */
  get silentMs(): number {
    return this.#elapsedMs() - this.#askedMs
  }

  /** Answers when the server was asked once. */
  async start(): Promise<void> {
    this.#unwatch = this.#parts.server.watch?.(() => this.wake())
    await this.#ask()
    this.#repeatReport()
  }

  wake(): void {
    this.#isWoken = true
    if (this.#asking === undefined && !this.#isStopped) void this.#ask()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    this.#unwatch?.()
    for (const alarm of this.#alarms) alarm.cancel()
    await this.#asking
    await this.#reporting
    await this.report()
  }

  #ask(): Promise<void> {
    this.#asking ??= this.#askAll().finally(() => {
      this.#asking = undefined
      if (!this.#isStopped) this.#later(ASK_MS, () => this.wake())
    })
    return this.#asking
  }

  /** Again at once after a change, so that the server knows that it holds. */
  async #askAll(): Promise<void> {
    for (let goesOn = true; goesOn && !this.#isStopped; ) {
      this.#isWoken = false
      goesOn = (await this.#askOnce()) || this.#isWoken
    }
  }

  async #askOnce(): Promise<boolean> {
    const { server, status, apply, now, log } = this.#parts
    const asked = this.#elapsedMs()
    const before = this.#since
    try {
      const changes = await server.changes(status(), before)
      apply(changes)
      this.#since = changes.version
      this.#askedMs = asked
      this.#settingsAt = now()
      this.#isFailing = false
      for (const probe of changes.probes) void this.#answer(probe)
      return changes.version !== before
    } catch (error) {
      if (!this.#isFailing) log.error({ err: error }, 'edge could not ask for changes')
      this.#isFailing = true
      return false
    }
  }

  async #answer(probe: EdgeProbe): Promise<void> {
    const { server, edgeId, log } = this.#parts
    try {
      await server.answer(edgeId, probe.version, this.#parts.probe(probe))
    } catch (error) {
      log.error({ err: error }, 'edge could not answer a probe')
    }
  }

  #repeatReport(): void {
    this.#later(REPORT_MS, () => {
      this.#reporting = this.report().finally(() => {
        if (!this.#isStopped) this.#repeatReport()
      })
    })
  }

  /** The same content under the same number until it is taken; what comes meanwhile has the next one. */
  async report(): Promise<void> {
    const { server, edgeId, takeUsage, log } = this.#parts
    if (this.#pending.length === 0) this.#pending = takeUsage()
    if (this.#pending.length === 0) return
    try {
      await server.report(edgeId, this.#sequence, this.#pending)
      this.#sequence += 1
      this.#pending = []
    } catch (error) {
      if (!this.#isFailing) log.error({ err: error }, 'edge could not report usage')
      this.#isFailing = true
    }
  }

  #later(milliseconds: number, work: () => void): void {
    const alarm = after(milliseconds, () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm)
      work()
    })
    this.#alarms.push(alarm)
  }
}
