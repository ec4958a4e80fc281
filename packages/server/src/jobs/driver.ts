/**
 * Runs every slice's jobs on the clock: when a job says that it is due, when its period has passed,
 * and when it is woken. A lease in the database keeps a job to one run at a time across processes. It is
 * renewed while the run lasts, so a process that dies holds it for a minute at most.
 */
import type { Changes } from '../kernel/changes.ts'
import { type Alarm, type Clock, every } from '../kernel/clock.ts'
import type { Job } from '../kernel/job.ts'
import type { Log } from '../kernel/log.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import type { Tracing } from '../kernel/tracing.ts'
import { MINUTE_MS, secondsAfter } from '../kernel/units.ts'
import { ChangeCount, counting } from '../storage/changes.ts'
import type { Database } from '../storage/database.ts'
import { type JobResult, type Lease, LeaseStore } from './lease.ts'

/** How long after the last renewal another process may start its own run. */
const LEASE_SECONDS = 60
/** In real time; two renewals may fail before the lease expires. */
const RENEW_MS = 20_000
/** After a failed run, or when another process holds the lease, it is tried again then. */
const RETRY_SECONDS = 5
/** Another process, or who does not wake it, may have written what makes a job due; so it is looked at now and then. */
const CHECK_SECONDS = 10

/** A run that takes longer counts as late: it may hang, or its process may be gone. */
const RUN_MAX_MS = 10 * MINUTE_MS

interface Outcome {
  readonly ok: boolean
  readonly summary: string
}

interface Slot {
  readonly job: Job<Database>
  alarm: Alarm | undefined
  running: Promise<void> | undefined
  again: boolean
}

export class JobDriver {
  readonly #database: Database
  readonly #clock: Clock
  readonly #log: Log
  readonly #tracing: Tracing | undefined
  readonly #owner: string
  readonly #every: typeof every
  readonly #onChange: ((job: string, summary: string, changes: Changes) => void) | undefined
  readonly #slots: ReadonlyMap<string, Slot>
  readonly #stopping = new AbortController()
  #started = false
  #checks: Alarm | undefined

  constructor(options: {
    readonly database: Database
    readonly clock: Clock
    readonly random: Random
    readonly log: Log
    readonly jobs: readonly Job<Database>[]
    readonly tracing?: Tracing | undefined
    /** Called after a run that has changed something. */
    readonly onChange?: (job: string, summary: string, changes: Changes) => void
    /** Real time, which a test controls. */
    readonly every?: typeof every
  }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#log = options.log
    this.#tracing = options.tracing
    this.#onChange = options.onChange
    this.#every = options.every ?? every
    this.#owner = randomHex(options.random, 16)
    this.#slots = new Map(
      options.jobs.map((job) => [
        job.name,
        { job, alarm: undefined, running: undefined, again: false },
      ]),
    )
  }

  async start(): Promise<void> {
    if (this.#database.engine === 'sqlite') {
      await this.#database.write((tx) => new LeaseStore(tx).releaseAll())
    }
    this.#started = true
    this.wakeAll()
    this.#checks = this.#every(CHECK_SECONDS * 1000, () => this.#check())
  }

  /**
   * A clock that is not real is moved from check to check, so there real time says when to look: also at a job that has
   * an alarm, since what was written after that was set may be due before it.
   */
  #check(): void {
    if (this.#clock.mode !== 'real') this.wakeAll()
  }

  /** Everything may be different now: a world was applied, or all was emptied. */
  wakeAll(): void {
    for (const slot of this.#slots.values()) this.#wake(slot)
  }

  /** There may be something to do for this job, now or later. */
  wake(name: string): void {
    const slot = this.#slots.get(name)
    if (slot === undefined) throw new Error(`There is no job ${name}.`)
    const isArmed = slot.alarm !== undefined
    if (!(slot.job.steady && isArmed)) this.#wake(slot)
  }

  #wake(slot: Slot): void {
    // The start itself wakes every job.
    if (!this.#started) return
    if (slot.running !== undefined) slot.again = true
    else this.#arm(slot, this.#clock.now())
  }

  /** Aborts the runs under way, waits for them and starts no more. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#checks?.cancel()
    for (const slot of this.#slots.values()) {
      slot.alarm?.cancel()
      await slot.running
    }
  }

  /** How the last runs ended, in whichever process, and for how long each job has been due. */
  async results(): Promise<(JobResult & { readonly lagSeconds: number })[]> {
    const now = this.#clock.now()
    const results = await this.#database.read((tx) => new LeaseStore(tx).list())
    const withLag = results.map(async (result) => {
      const due = await this.#slots.get(result.name)?.job.nextDue?.(this.#database, now)
      return { ...result, lagSeconds: lagOf(result, due, now) }
    })
    return Promise.all(withLag)
  }

  #arm(slot: Slot, when: Date): void {
    slot.alarm?.cancel()
    slot.alarm = undefined
    if (this.#stopping.signal.aborted) return
    slot.alarm = this.#clock.at(when, slot.job.name, () => this.#run(slot))
  }

  async #run(slot: Slot): Promise<void> {
    slot.alarm = undefined
    slot.again = false
    slot.running = this.#runOnce(slot.job).then((next) => {
      slot.running = undefined
      if (slot.again) this.#arm(slot, this.#clock.now())
      else if (next !== undefined) this.#arm(slot, next)
    })
    await slot.running
  }

  /** Answers with the time of the next run. Never rejects: a failed run is kept and tried again. */
  async #runOnce(job: Job<Database>): Promise<Date | undefined> {
    const now = this.#clock.now()
    try {
      if (!(await this.#isDue(job, now))) return await this.#next(job, now)
      const lease = await this.#database.write((tx) =>
        new LeaseStore(tx).take(job.name, this.#owner, now, this.#expiry()),
      )
      if (lease === undefined) return secondsAfter(now, RETRY_SECONDS)
      const ok = await this.#runLeased(job, lease, now)
      return ok ? await this.#next(job, now) : secondsAfter(now, RETRY_SECONDS)
    } catch (error) {
      this.#log.error({ job: job.name, err: error }, 'job could not be run')
      return secondsAfter(now, RETRY_SECONDS)
    }
  }

  /** False when the run failed, or when it lost its lease: what another process runs by then is not touched. */
  async #runLeased(job: Job<Database>, lease: Lease, now: Date): Promise<boolean> {
    const lost = new AbortController()
    const renewal = this.#every(RENEW_MS, () => this.#renew(lease, lost))
    const signal = AbortSignal.any([lost.signal, this.#stopping.signal])
    const outcome = await this.#attempt(job, now, signal)
    renewal.cancel()
    const finished = await this.#database.write((tx) =>
      new LeaseStore(tx).finish(lease, this.#clock.now(), outcome),
    )
    if (finished) return outcome.ok
    const err = new Error('Another process runs it by now; the result of this run is not kept.')
    this.#log.error({ job: job.name, summary: outcome.summary, err }, 'job lost its lease')
    return false
  }

  /** Never rejects: a database that cannot be reached now may be reached before the lease expires. */
  async #renew(lease: Lease, lost: AbortController): Promise<void> {
    try {
      const renewed = await this.#database.write((tx) =>
        new LeaseStore(tx).renew(lease, this.#expiry()),
      )
      if (!renewed) lost.abort()
    } catch (error) {
      this.#log.error({ job: lease.job, err: error }, 'job lease could not be renewed')
    }
  }

  /** On the clock that leases are compared with, and never less than the real time of a lease. */
  #expiry(): Date {
    return secondsAfter(this.#clock.now(), LEASE_SECONDS * Math.max(1, this.#clock.scale))
  }

  async #attempt(job: Job<Database>, now: Date, signal: AbortSignal): Promise<Outcome> {
    try {
      const count = new ChangeCount()
      const run = () => job.run(counting(this.#database, count), now, signal)
      const summary = await (this.#tracing?.job(job.name, run) ?? run())
      const { changes } = count
      if (Object.keys(changes).length > 0) this.#onChange?.(job.name, summary, changes)
      return { ok: true, summary }
    } catch (error) {
      this.#log.error({ job: job.name, err: error }, 'job failed')
      return { ok: false, summary: error instanceof Error ? error.message : String(error) }
    }
  }

  async #isDue(job: Job<Database>, now: Date): Promise<boolean> {
    if (job.nextDue === undefined) return true
    const due = await job.nextDue(this.#database, now)
    return due !== undefined && due <= now
  }

  async #next(job: Job<Database>, now: Date): Promise<Date | undefined> {
    const times: Date[] = []
    const due = await job.nextDue?.(this.#database, now)
    const rested = secondsAfter(now, (job.restSeconds ?? 0) * this.#clock.scale)
    if (due !== undefined) times.push(due < rested ? rested : due)
    if (job.everySeconds !== undefined) times.push(secondsAfter(now, job.everySeconds))
    else if (this.#clock.mode === 'real') times.push(secondsAfter(now, CHECK_SECONDS))
    return times.sort((a, b) => a.getTime() - b.getTime())[0]
  }
}

/** From when it was due, or from the end of its last run where it was due before; none while it runs in time. */
function lagOf({ startedAt, finishedAt }: JobResult, due: Date | undefined, now: Date): number {
  const ended = finishedAt?.getTime() ?? 0
  const begun = startedAt?.getTime() ?? 0
  const isRunning = begun > ended && begun > now.getTime() - RUN_MAX_MS && begun <= now.getTime()
  if (due === undefined || isRunning) return 0
  return Math.max(0, now.getTime() - Math.max(due.getTime(), ended)) / 1000
}
