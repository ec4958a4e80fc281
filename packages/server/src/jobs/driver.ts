/**
 * Runs every slice's jobs on the clock: when a job says that it is due, when its period has passed,
 * and when it is woken. A lease in the database keeps a job to one run at a time across processes; a
 * process that dies holds it only until the lease ends.
 */
import type { Changes } from '../kernel/changes.ts'
import type { Alarm, Clock } from '../kernel/clock.ts'
import type { Job } from '../kernel/job.ts'
import type { Log } from '../kernel/log.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import { ChangeCount, counting } from '../storage/changes.ts'
import type { Database } from '../storage/database.ts'
import { type JobResult, JobStore } from './job-store.ts'

/** How long a run may take before another process may start its own. */
const LEASE_SECONDS = 60
/** After a failed run, or when another process holds the lease, it is tried again then. */
const RETRY_SECONDS = 5
/** Another process may have written what makes a job due; so every process looks now and then. */
const LOOK_SECONDS = 10

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
  readonly #owner: string
  readonly #changed: ((job: string, summary: string, changes: Changes) => void) | undefined
  readonly #slots: ReadonlyMap<string, Slot>
  #started = false
  #stopped = false

  constructor(options: {
    readonly database: Database
    readonly clock: Clock
    readonly random: Random
    readonly log: Log
    readonly jobs: readonly Job<Database>[]
    /** Told what a run has changed, when it has. */
    readonly changed?: (job: string, summary: string, changes: Changes) => void
  }) {
    this.#database = options.database
    this.#clock = options.clock
    this.#log = options.log
    this.#changed = options.changed
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
      await this.#database.write((tx) => new JobStore(tx).releaseAll())
    }
    this.#started = true
    this.wakeAll()
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

  /** Waits for the runs under way and starts no more. */
  async stop(): Promise<void> {
    this.#stopped = true
    for (const slot of this.#slots.values()) {
      slot.alarm?.cancel()
      await slot.running
    }
  }

  results(): Promise<JobResult[]> {
    return this.#database.read((tx) => new JobStore(tx).list())
  }

  #arm(slot: Slot, when: Date): void {
    slot.alarm?.cancel()
    slot.alarm = undefined
    if (this.#stopped) return
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
      const taken = await this.#database.write((tx) =>
        new JobStore(tx).take(job.name, this.#owner, now, after(now, LEASE_SECONDS)),
      )
      if (!taken) return after(now, RETRY_SECONDS)
      const outcome = await this.#attempt(job, now)
      await this.#database.write((tx) =>
        new JobStore(tx).finish(job.name, this.#clock.now(), outcome),
      )
      return outcome.ok ? await this.#next(job, now) : after(now, RETRY_SECONDS)
    } catch (error) {
      this.#log.error({ job: job.name, err: error }, 'job could not be run')
      return after(now, RETRY_SECONDS)
    }
  }

  async #attempt(job: Job<Database>, now: Date): Promise<{ ok: boolean; summary: string }> {
    try {
      const count = new ChangeCount()
      const summary = await job.run(counting(this.#database, count), now)
      const { changes } = count
      if (Object.keys(changes).length > 0) this.#changed?.(job.name, summary, changes)
      return { ok: true, summary }
    } catch (error) {
      this.#log.error({ job: job.name, err: error }, 'job failed')
      return { ok: false, summary: error instanceof Error ? error.message : String(error) }
    }
  }

  async #isDue(job: Job<Database>, now: Date): Promise<boolean> {
    if (job.nextDue === undefined) return true
    const due = await job.nextDue(this.#database)
    return due !== undefined && due <= now
  }

  async #next(job: Job<Database>, now: Date): Promise<Date | undefined> {
    const times: Date[] = []
    const due = await job.nextDue?.(this.#database)
    if (due !== undefined) times.push(due)
    if (job.everySeconds !== undefined) times.push(after(now, job.everySeconds))
    else if (this.#clock.mode === 'real') times.push(after(now, LOOK_SECONDS))
    return times.sort((a, b) => a.getTime() - b.getTime())[0]
  }
}

function after(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}
