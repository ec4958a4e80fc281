/**
 * Several processes on one port, by `node:cluster`: the primary starts the workers, replaces one that dies,
 * restarts them one after the other on SIGHUP, and drains them all on SIGTERM. A worker is a server like any
 * other; what they share is in the database.
 */
import cluster, { type Worker } from 'node:cluster'
import type { Config } from '../config.ts'
import { loadAggregator } from '../http/metrics.ts'
import { pause, stopwatch } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { type Addresses, publishAddresses } from './addresses.ts'
import type { FromWorker, ToWorker } from './worker.ts'

/** Between the end of a worker and its successor; doubled each time, until one has lived for long enough. */
const FIRST_DELAY_MS = 100
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
): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Workers(log)
  // The first one makes the certificates, the tables and the world; the others find them.
  const { addresses, banner } = await workers.start()
  await Promise.all(Array.from({ length: count - 1 }, () => workers.start()))
  const withdraw = publishAddresses(dataFolder, addresses)
  const stop = () => {
    withdraw()
    void pause(drainLimitMs).then(() => process.exit(0))
    void workers.stop().then(() => process.exit(0))
  }
  process.once('SIGTERM', stop).once('SIGINT', stop)
  process.on('SIGHUP', () => void workers.restart())
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

  /** Fulfilled when it listens. One that does not come that far has said why, and ends the program. */
  async start(delayMs = FIRST_DELAY_MS): Promise<Ready> {
    const worker = cluster.fork()
    const age = stopwatch()
    this.#workers.add(worker)
    let isReady = false
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'collect') void this.#collect(worker)
    })
    worker.once('exit', (code, signal) => {
      this.#workers.delete(worker)
      if (this.#isStopping || draining.has(worker)) return
      if (!isReady) process.exit(code || 1)
      const err = `exit code ${code}, signal ${signal}`
      this.#log.error({ pid: worker.process.pid, err }, 'a worker ended; it is replaced')
      const next = age() > LONG_ENOUGH_MS ? FIRST_DELAY_MS : Math.min(delayMs * 2, MAX_DELAY_MS)
      void this.#replace(delayMs, next)
    })
    const ready = await readyFrom(worker)
    isReady = true
    return ready
  }

  async #replace(delayMs: number, nextMs: number): Promise<void> {
    await pause(delayMs)
    if (!this.#isStopping) await this.start(nextMs)
  }

  /** One after the other, each when its successor listens: no request is refused. */
  restart(): Promise<void> {
    this.#restarting = this.#restarting.then(async () => {
      for (const worker of [...this.#workers]) {
        if (this.#isStopping) return
        await this.start()
        await drain(worker)
      }
    })
    return this.#restarting
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await Promise.all([...this.#workers].map(drain))
  }

  /** A scrape reaches one worker; it answers with the sum of all. */
  async #collect(worker: Worker): Promise<void> {
    send(worker, { kind: 'collected', metrics: await this.#metrics.clusterMetrics() })
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

function readyFrom(worker: Worker): Promise<Ready> {
  return new Promise((resolve) => {
    worker.on('message', (message: FromWorker) => {
      if (message.kind === 'ready') resolve(message)
    })
  })
}
