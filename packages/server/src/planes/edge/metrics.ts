/** What `/metrics` shows of the edge in this process. */
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'
import type { EdgeServer, EdgeStatus } from '../../services/webaccel/public.ts'

// As in metrics/metrics.ts: the package as a whole costs more.
const require = createRequire(import.meta.url)
const Counter: typeof prometheus.Counter = require('prom-client/lib/counter.js')
const Gauge: typeof prometheus.Gauge = require('prom-client/lib/gauge.js')

export interface EdgeMetrics {
  /** The same, and what is reported to it is counted. */
  readonly server: EdgeServer
  show(status: () => EdgeStatus): void
}

export function edgeMetrics(registry: prometheus.Registry, server: EdgeServer): EdgeMetrics {
  const registers = [registry]
  const bytes = new Counter({
    name: 'kumoi_edge_sent_bytes_total',
    help: 'Bytes of headers and bodies that the edge has delivered.',
    registers,
  })
  const requests = new Counter({
    name: 'kumoi_edge_requests_total',
    help: 'Requests to sites that the edge has answered, by whether that was from its cache.',
    labelNames: ['result'],
    registers,
  })
  return {
    server: {
      changes: (status, since) => server.changes(status, since),
      answer: (edgeId, version, answer) => server.answer(edgeId, version, answer),
      watch: (changed) => server.watch?.(changed) ?? (() => undefined),
      // One that fails is sent again.
      async report(edgeId, sequence, usage) {
        await server.report(edgeId, sequence, usage)
        for (const { accessCount, hitCount, bytesSent } of usage) {
          requests.inc({ result: 'hit' }, hitCount)
          requests.inc({ result: 'miss' }, accessCount - hitCount)
          bytes.inc(bytesSent)
        }
      },
    },
    show(status) {
      new Gauge({
        name: 'kumoi_edge_cache_bytes',
        help: 'What the cache of the edge holds.',
        registers,
        collect() {
          this.set(status().cacheBytes)
        },
      })
      new Gauge({
        name: 'kumoi_edge_cache_objects',
        help: 'How many objects that is.',
        registers,
        collect() {
          this.set(status().cacheObjects)
        },
      })
    },
  }
}
