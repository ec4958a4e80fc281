/**
 * What a front has answered and done, on its way to the lead (docs/adr/0160): some at a time, since a message
 * for each would cost both a good part of what the request did.
 */
import { slices } from '../contracts.ts'
import { type RequestCount, RequestMetrics } from '../http/request-metrics.ts'
import { pause, stopwatch } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import type { ItemId } from '../kernel/ids.ts'
import { type Change, type Recorded, RequestLog, type Seen } from '../services/control/public.ts'

export interface Report {
  readonly events: readonly Recorded[]
  readonly counts: readonly RequestCount[]
  /** Jobs that may have something to do. */
  readonly wakes: readonly string[]
  /** Projects with news for those who wait for them. */
  readonly projects: readonly ItemId[]
  /** Resident memory. */
  readonly memoryBytes: number
}

/** Sends; `sent` is called when the other side has taken it. */
export type SendReport = (report: Report, sent: () => void) => void

const TICK_MS = 20

export class Reports {
  readonly metrics = new RequestMetrics()
  readonly #send: SendReport
  /** Keeps no more than that of the lead does, also while it does not listen. */
  readonly #log = new RequestLog()
  readonly #wakes = new Set<string>()
  readonly #projects = new Set<ItemId>()
  #isWatched = false
  #isTimed = false
  #isSending = false
  /** The number of the last event that was told, how many were told with it, and since when. */
  #told = 0
  #count = 0
  #age = stopwatch()

  constructor(send: SendReport) {
    this.#send = send
  }

  add(seen: Seen): void {
    this.#log.add(seen)
    this.#soon()
  }

  addChange(change: Change): void {
    this.#log.addChange(change)
    this.#soon()
  }

  wake(job: string): void {
    this.#wakes.add(job)
    this.#soon()
  }

  signal(projectId: ItemId): void {
    this.#projects.add(projectId)
    this.#soon()
  }

  /** Streams of events are the lead's. */
  endStreams(): void {}

  /** Somebody follows the events, and wants to hear of every one. */
  watch(isWatched: boolean): void {
    const begins = isWatched && !this.#isWatched
    this.#isWatched = isWatched
    if (begins) this.flush()
  }

  /** All there is, now. */
  flush(sent?: () => void): void {
    const events = this.#log.since(this.#told)
    this.#told = this.#log.newest
    this.#count = events.length
    this.#age = stopwatch()
    this.#tell(events, sent)
  }

  #tell(events: Report['events'], sent: () => void = () => undefined): void {
    const report: Report = {
      events,
      counts: this.metrics.take(),
      wakes: [...this.#wakes],
      projects: [...this.#projects],
      memoryBytes: process.memoryUsage.rss(),
    }
    this.#wakes.clear()
    this.#projects.clear()
    this.#send(report, sent)
  }

  #soon(): void {
    if (this.#isTimed || this.#isSending) return
    this.#isTimed = true
    void pause(TICK_MS).then(() => {
      this.#isTimed = false
      this.#tick()
    })
  }

  /**
   * Who asks for requests gets them by `flush`. Unasked, no more than one in a millisecond is told: of more,
   * the lead would soon have forgotten most.
   */
  #tick(): void {
    this.#isSending = true
    const sent = () => {
      this.#isSending = false
      if (this.#log.newest > this.#told || this.#wakes.size > 0) this.#soon()
    }
    if (this.#isWatched || this.#age() >= this.#count) this.flush(sent)
    else this.#tell([], sent)
  }
}

/** Where a report goes in the lead. */
export interface Hearers {
  readonly log: RequestLog
  readonly metrics: RequestMetrics
  wake(job: string): void
  signal(projectId: ItemId): void
}

export function hear(report: Report, { log, metrics, wake, signal }: Hearers): void {
  metrics.addAll(report.counts)
  log.addLate(report.events, (operation) => operations().get(operation))
  for (const job of report.wakes) wake(job)
  for (const projectId of report.projects) signal(projectId)
}

let known: ReadonlyMap<string, Operation> | undefined

function operations(): ReadonlyMap<string, Operation> {
  known ??= new Map(slices.flatMap(({ contract }) => Object.entries(contract)))
  return known
}
