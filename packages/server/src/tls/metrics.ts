/** What `/metrics` shows of certificates: when the ones that are served end. */
import type { X509Certificate } from 'node:crypto'
import { createRequire } from 'node:module'
import type * as prometheus from 'prom-client'

// As in metrics/metrics.ts: the package as a whole costs more.
const require = createRequire(import.meta.url)
const Gauge: typeof prometheus.Gauge = require('prom-client/lib/gauge.js')

export function showExpiry(
  registry: prometheus.Registry,
  served: { readonly leaf: X509Certificate },
): void {
  new Gauge({
    name: 'kumoi_certificate_expiry_seconds',
    help: 'When the certificate that is served ends, in seconds since 1970, by the first of its names.',
    labelNames: ['name'],
    // Of several processes the one whose certificate ends first.
    aggregator: 'min',
    registers: [registry],
    collect() {
      // A new one may have another name.
      this.reset()
      const { leaf } = served
      this.set({ name: firstName(leaf) }, leaf.validToDate.getTime() / 1000)
    },
  })
}

function firstName({ subjectAltName, subject }: X509Certificate): string {
  const [, name] = /^(?:DNS|IP Address):([^,]+)/.exec(subjectAltName ?? '') ?? []
  return name ?? subject
}
