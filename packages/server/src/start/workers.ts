/**
 * Several processes on one port, by `node:cluster`: the primary starts the workers, replaces one that dies,
 * restarts them one after the other on SIGHUP, and drains them all on SIGTERM. A worker is a server like any
 * other; what they share is in the database.
 */
import cluster, { type Worker } from 'node:cluster'
import type { Config } from '../config.ts'
import { pause, stopwatch } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { loadAggregator } from '../metrics/metrics.ts'
import { type Addresses, publishAddresses } from './addresses.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** Between the end of a worker and its successor; doubled while none comes to listen. */
const FIRST_DELAY_MS = 100
/** After one that has lived for less than LONG_ENOUGH_MS. */
const SECOND_DELAY_MS = 1000
const MAX_DELAY_MS = 10_000
const LONG_ENOUGH_MS = 10_000

interface Ready {
  readonly addresses: Addresses
  readonly banner: string
}

export async function runWorkers(
  { workers: count, dataFolder }: Config,
  log: Log,
  drainLimitMs: number,
  onSignals: (stop: () => void, hangUp: () => void) => void,
): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Workers(log)
  // The first one makes the certificates, the tables and the world; the others find them.
  const { addresses, banner } = await workers.startFirst()
  await Promise.all(Array.from({ length: count - 1 }, () => workers.startFirst()))
  const withdraw = publishAddresses(dataFolder, addresses)
  const stop = () => {
    withdraw()
    void pause(drainLimitMs).then(() => process.exit(0))
    void workers.stop().then(() => process.exit(0))
  }
  onSignals(stop, () => void workers.restart())
  process.stdout.write(banner)
}

class Workers {
  readonly #log: Log
  readonly #workers = new Set<Worker>()
  readonly #metrics = new (loadAggregator())()
  #restarting: Promise<void> = Promise.resolve()
  #isStopping = false

  constructor(log: Log) {
    this.#log = log
  }

  /** At the start of the program: one that does not come to listen has said why, and ends it. */
  startFirst(): Promise<Ready> {
    return this.#start().catch(() => process.exit(1))
  }

  /** One after the other, each when its successor listens: no request is refused. */
  restart(): Promise<void> {
    const restartAll = async () => {
      for (const worker of [...this.#workers]) {
        if (this.#isStopping) return
        await this.#start()
        await drain(worker)
      }
    }
    this.#restarting = this.#restarting.then(restartAll).catch((err: unknown) => {
      this.#log.error({ err }, 'a new worker did not start; the old ones go on')
    })
    return this.#restarting
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([...this.#workers].map(drain))
  }

  /** Fulfilled when it listens, rejected when it ends before. */
  #start(): Promise<Ready> {
    const worker = cluster.fork()
    const age = stopwatch()
    this.#workers.add(worker)
    return new Promise((resolve, reject) => {
      let isReady = false
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'collect') void this.#collect(worker)
        if (message.kind !== 'ready') return
        isReady = true
        resolve(message)
      })
      worker.once('exit', (code, signal) => {
        this.#workers.delete(worker)
        const err = new Error(`exit code ${code}, signal ${signal}`)
        if (!isReady) reject(err)
        else if (!this.#isStopping && !draining.has(worker)) {
          this.#log.error({ pid: worker.process.pid, err }, 'a worker ended; it is replaced')
          void this.#replace(age() > LONG_ENOUGH_MS ? FIRST_DELAY_MS : SECOND_DELAY_MS)
        }
      })
    })
  }

  /** Until one listens, which may take until the database is back. */
  async #replace(delayMs: number): Promise<void> {
    await pause(delayMs)
    if (this.#isStopping) return
    await this.#start().catch(() => this.#replace(Math.min(delayMs * 2, MAX_DELAY_MS)))
  }

  /** A scrape reaches one worker; it answers with the sum of all. */
  async #collect(worker: Worker): Promise<void> {
    // One that is just starting does not answer; then this scrape has no requests in it.
    const metrics = await this.#metrics.clusterMetrics().catch(() => '')
    send(worker, { kind: 'collected', metrics })
  }
}

/** Workers whose end is wanted. */
const draining = new WeakSet<Worker>()

/** Fulfilled when it has answered what was under way and is gone. */
function drain(worker: Worker): Promise<void> {
  draining.add(worker)
  return new Promise((resolve) => {
    if (worker.isDead()) return resolve()
    worker.once('exit', () => resolve())
    send(worker, { kind: 'drain' })
  })
}

function send(worker: Worker, message: ToWorker): void {
  // One that has just died needs nothing any more.
  worker.send(message, () => undefined)
}
