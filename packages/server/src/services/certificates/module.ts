import { type Alarm, type Clock, every } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { ServedCertificate } from '../../kernel/served-certificate.ts'
import type { Database } from '../../storage/database.ts'
import type { Module } from '../module.ts'
import { certificatesJob } from './job.ts'
import { type Authority, CertificateOrders } from './orders.ts'
import { CertificateOrderStore, certificateOwner, SEALED_BY_ACME } from './store.ts'

/** How long another server's order is not noticed. */
const POLL_MS = 5000

export interface Certificates extends Module {
  readonly orders: CertificateOrders
  /** Serves what was issued before, and what any server orders from now on. */
  start(): Promise<void>
  stop(): void
}

export function certificatesModule(parts: {
  readonly database: Database
  readonly box: SecretBox
  readonly machine: Pick<Clock, 'now'>
  readonly log: Log
  readonly authority: Authority
  /** Of the server itself; none where it has a certificate of its own. */
  readonly domains: readonly string[]
  readonly served: ServedCertificate | undefined
}): Certificates {
  const { database, box, log, domains, served } = parts
  const orders = new CertificateOrders(parts)
  const wanted = { directory: orders.directory, domains: domains.join(',') }
  let alarm: Alarm | undefined
  const serve = async () => {
    try {
      const found = await database.read((tx) => new CertificateOrderStore(tx).findIssued(wanted))
      if (found === undefined) return
      served?.replace({
        cert: found.chain,
        key: box.open(found.sealedKey, certificateOwner(found.name)),
      })
    } catch (err) {
      log.error({ err }, 'the certificate was not replaced; the old one is still served')
    }
  }
  return {
    ...{ orders, sealed: SEALED_BY_ACME },
    jobs:
      domains.length === 0
        ? []
        : [certificatesJob({ orders, wanted, box, onIssued: () => void serve() })],
    async start() {
      if (domains.length === 0) return
      await serve()
      alarm = every(POLL_MS, () => void serve())
    },
    stop: () => alarm?.cancel(),
  }
}
