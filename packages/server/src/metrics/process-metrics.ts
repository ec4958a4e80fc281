/** What `/metrics` shows of this process besides its requests: the event loop, the database and caches. */
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'
import type { DatabaseLoad } from '../storage/database.ts'

// As in metrics.ts: the package as a whole costs more.
const require = createRequire(import.meta.url)
const Counter: typeof prometheus.Counter = require('prom-client/lib/counter.js')
const Gauge: typeof prometheus.Gauge = require('prom-client/lib/gauge.js')
/** Of the library itself; its names are those that dashboards for Node know. */
const eventLoopLag: (
  registry: prometheus.Registry,
) => void = require('prom-client/lib/metrics/eventLoopLag.js')

export interface Measured {
  readonly load: () => DatabaseLoad | undefined
  /** How often the key of a request was known already, and how often it was verified. */
  readonly keyCache: { readonly hits: number; readonly misses: number }
}

export function showProcess(registry: prometheus.Registry, measured: Measured): void {
  const registers = [registry]
  eventLoopLag(registry)
  new Gauge({
    name: 'kumoi_database_connections',
    help: 'Open connections to the database.',
    labelNames: ['state'],
    registers,
    collect() {
      const { open = 0, idle = 0 } = measured.load() ?? {}
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'in_use' }, open - idle)
    },
  })
  new Gauge({
    name: 'kumoi_database_waiting',
    help: 'Transactions that wait for a connection; the embedded store has one that writes and one for long reads.',
    registers,
    collect() {
      this.set(measured.load()?.waiting ?? 0)
    },
  })
  new Counter({
    name: 'kumoi_key_cache_requests_total',
    help: 'Requests by whether their key was verified a moment ago.',
    labelNames: ['result'],
    registers,
    collect() {
      this.reset()
      this.inc({ result: 'hit' }, measured.keyCache.hits)
      this.inc({ result: 'miss' }, measured.keyCache.misses)
    },
  })
}
