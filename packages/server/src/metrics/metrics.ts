/** What `/metrics` shows, by `prom-client`: requests with their latencies, jobs and the process. */
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'
import { AUTH_FAILURES, type AuthFailure } from '../http/auth/throttle.ts'
import type { Backlog } from '../storage/outbox.ts'

// Parts of the package: as a whole it costs each start 80 ms and 13 MiB, for metrics that we do not show.
const require = createRequire(import.meta.url)
const Counter: typeof prometheus.Counter = require('prom-client/lib/counter.js')
const Gauge: typeof prometheus.Gauge = require('prom-client/lib/gauge.js')
const Histogram: typeof prometheus.Histogram = require('prom-client/lib/histogram.js')
const Registry: typeof prometheus.Registry = require('prom-client/lib/registry.js')

/** Loaded only where there are several processes. */
export function loadAggregator(): typeof prometheus.AggregatorRegistry {
  return require('prom-client/lib/cluster.js')
}

/** From reads of the embedded store, which take less than a millisecond, up. */
const BUCKETS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
]

const REQUEST: ('operation' | 'status')[] = ['operation', 'status']
const JOB: 'job'[] = ['job']
const TOPIC: 'topic'[] = ['topic']
const REASON: 'reason'[] = ['reason']

/** How the last run of a job ended, and how many there were. */
export interface JobResult {
  readonly name: string
  readonly runs: number
  readonly failures: number
  readonly outcome: string | undefined
  readonly finishedAt: Date | undefined
  readonly lagSeconds: number
}

/** What is in the database, and so the same in all processes. */
export interface SharedState {
  readonly jobs: readonly JobResult[]
  readonly backlogs: readonly Backlog[]
}

export class Metrics {
  readonly registry = new Registry()
  readonly #latencies = new Histogram({
    name: 'kumoi_request_duration_seconds',
    help: 'How long answered requests took.',
    labelNames: REQUEST,
    buckets: BUCKETS_SECONDS,
    registers: [this.registry],
  })
  /** By operation and status: finding one by its labels costs more than counting. */
  readonly #series = new Map<string, prometheus.Histogram.Internal<'operation' | 'status'>>()
  readonly #authFailures = new Counter({
    name: 'kumoi_auth_failures_total',
    help: 'Credentials that were refused: wrong, too many wrong ones before, expired, or from an address not allowed.',
    labelNames: REASON,
    registers: [this.registry],
  })
  readonly #shared = new Registry()
  readonly #databaseUp = new Gauge({
    name: 'kumoi_database_up',
    help: 'Whether the database has answered; without it nothing is shown of jobs and the outbox.',
    registers: [this.#shared],
  })
  readonly #runs = new Counter({
    name: 'kumoi_job_runs_total',
    help: 'Finished runs of each job.',
    labelNames: JOB,
    registers: [this.#shared],
  })
  readonly #failures = new Counter({
    name: 'kumoi_job_failures_total',
    help: 'Runs that failed.',
    labelNames: JOB,
    registers: [this.#shared],
  })
  readonly #lastOk = new Gauge({
    name: 'kumoi_job_last_ok',
    help: 'Whether the last run succeeded.',
    labelNames: JOB,
    registers: [this.#shared],
  })
  readonly #lastFinished = new Gauge({
    name: 'kumoi_job_last_finished_seconds',
    help: 'When the last run ended, on the clock of the server.',
    labelNames: JOB,
    registers: [this.#shared],
  })
  readonly #lag = new Gauge({
    name: 'kumoi_job_lag_seconds',
    help: 'For how long a job has been due that did not run yet, or has not ended for ten minutes.',
    labelNames: JOB,
    registers: [this.#shared],
  })
  readonly #waiting = new Gauge({
    name: 'kumoi_outbox_waiting',
    help: 'Effects that are due and were not carried out yet.',
    labelNames: TOPIC,
    registers: [this.#shared],
  })
  readonly #oldest = new Gauge({
    name: 'kumoi_outbox_oldest_seconds',
    help: 'The age of the oldest of them.',
    labelNames: TOPIC,
    registers: [this.#shared],
  })

  constructor() {
    const registers = [this.registry]
    // There from the start, so that the first failure is an increase.
    for (const reason of AUTH_FAILURES) this.#authFailures.inc({ reason }, 0)
    new Gauge({
      name: 'process_resident_memory_bytes',
      help: 'Resident memory.',
      registers,
      collect() {
        this.set(process.memoryUsage.rss())
      },
    })
    new Gauge({
      name: 'process_uptime_seconds',
      help: 'Time since the process started.',
      // Of several processes the oldest.
      aggregator: 'max',
      registers,
      collect() {
        this.set(process.uptime())
      },
    })
  }

  record(operation: string, status: number, milliseconds: number): void {
    const key = `${operation} ${status}`
    let series = this.#series.get(key)
    if (series === undefined) {
      series = this.#latencies.labels({ operation, status })
      this.#series.set(key, series)
    }
    series.observe(milliseconds / 1000)
  }

  countAuthFailure(reason: AuthFailure): void {
    this.#authFailures.inc({ reason })
  }

  /**
   * In the text format of Prometheus; `processes` is the sum of all, where there are several. Without a state the
   * database does not answer.
   */
  async text(state: SharedState | undefined, processes?: string): Promise<string> {
    this.#shared.resetMetrics()
    this.#databaseUp.set(state === undefined ? 0 : 1)
    this.#setJobs(state?.jobs ?? [])
    for (const { topic, waiting, oldestSeconds } of state?.backlogs ?? []) {
      this.#waiting.set({ topic }, waiting)
      this.#oldest.set({ topic }, oldestSeconds)
    }
    const measured = processes ?? (await this.registry.metrics())
    return `${measured}\n${await this.#shared.metrics()}`
  }

  /** Lets the primary of a cluster add up what its workers have measured. */
  shareWithPrimary(): void {
    const AggregatorRegistry = loadAggregator()
    AggregatorRegistry.setRegistries([this.registry])
    new AggregatorRegistry()
  }

  /** All servers on one database share these: they are kept there, and shown as they are. */
  #setJobs(jobs: readonly JobResult[]): void {
    for (const { name: job, runs, failures, outcome, finishedAt, lagSeconds } of jobs) {
      this.#runs.inc({ job }, runs)
      this.#failures.inc({ job }, failures)
      this.#lastOk.set({ job }, outcome === 'ok' ? 1 : 0)
      this.#lastFinished.set({ job }, (finishedAt?.getTime() ?? 0) / 1000)
      this.#lag.set({ job }, lagSeconds)
    }
  }
}
