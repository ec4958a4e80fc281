/** What `/metrics` shows, by `prom-client`: requests with their latencies, jobs and the process. */
// Parts of the package: as a whole it costs each start 80 ms and 13 MiB, for metrics that we do not show.
import Counter from 'prom-client/lib/counter.js'
import Gauge from 'prom-client/lib/gauge.js'
import Histogram from 'prom-client/lib/histogram.js'
import Registry from 'prom-client/lib/registry.js'

/** From reads of the embedded store, which take less than a millisecond, up. */
const BUCKETS_SECONDS = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
]

const REQUEST: ('operation' | 'status')[] = ['operation', 'status']
const JOB: 'job'[] = ['job']

/** How the last run of a job ended, and how many there were. */
export interface JobResult {
  readonly name: string
  readonly runs: number
  readonly failures: number
  readonly outcome: string | undefined
  readonly finishedAt: Date | undefined
}

export class Metrics {
  readonly #registry = new Registry()
  readonly #memory = this.#gauge('process_resident_memory_bytes', 'Resident memory.')
  readonly #uptime = this.#gauge('process_uptime_seconds', 'Time since the process started.')
  readonly #requests = this.#counter('kumoi_requests_total', 'Answered requests.', REQUEST)
  readonly #seconds = this.#counter(
    'kumoi_request_seconds_total',
    'Time spent on answered requests.',
    REQUEST,
  )
  readonly #latencies = new Histogram({
    name: 'kumoi_request_duration_seconds',
    help: 'How long answered requests took.',
    labelNames: REQUEST,
    buckets: BUCKETS_SECONDS,
    registers: [this.#registry],
  })
  readonly #runs = this.#counter('kumoi_job_runs_total', 'Finished runs of each job.', JOB)
  readonly #failures = this.#counter('kumoi_job_failures_total', 'Runs that failed.', JOB)
  readonly #lastOk = this.#gauge('kumoi_job_last_ok', 'Whether the last run succeeded.', JOB)
  readonly #lastFinished = this.#gauge(
    'kumoi_job_last_finished_seconds',
    'When the last run ended, on the clock of the server.',
    JOB,
  )

  record(operation: string, status: number, milliseconds: number): void {
    const labels = { operation, status }
    const seconds = milliseconds / 1000
    this.#requests.inc(labels)
    this.#seconds.inc(labels, seconds)
    this.#latencies.observe(labels, seconds)
  }

  /** In the text format of Prometheus. */
  text(jobs: readonly JobResult[]): Promise<string> {
    this.#memory.set(process.memoryUsage().rss)
    this.#uptime.set(process.uptime())
    // All servers on one database share these: they are kept there, and shown as they are.
    for (const metric of [this.#runs, this.#failures, this.#lastOk, this.#lastFinished]) {
      metric.reset()
    }
    for (const { name: job, runs, failures, outcome, finishedAt } of jobs) {
      this.#runs.inc({ job }, runs)
      this.#failures.inc({ job }, failures)
      this.#lastOk.set({ job }, outcome === 'ok' ? 1 : 0)
      this.#lastFinished.set({ job }, (finishedAt?.getTime() ?? 0) / 1000)
    }
    return this.#registry.metrics()
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]) {
    return new Counter<Label>({ name, help, labelNames, registers: [this.#registry] })
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: Label[] = []) {
    return new Gauge<Label>({ name, help, labelNames, registers: [this.#registry] })
  }
}
