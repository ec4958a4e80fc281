/** Orders the certificate of the server itself before the one that is served ends. */
import type { Job } from '../../kernel/job.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database } from '../../storage/database.ts'
import type { CertificateOrders } from './orders.ts'
import { renewAt, retryAt } from './rules.ts'
import { CertificateOrderStore, certificateOwner, orderName, type Wanted } from './store.ts'

export const CERTIFICATES = 'certificates'

export function certificatesJob(parts: {
  readonly orders: CertificateOrders
  readonly wanted: Wanted
  readonly box: SecretBox
  /** Called when there is another certificate. */
  readonly onIssued: () => void
}): Job<Database> {
  const { orders, wanted, box } = parts
  const find = (database: Database) =>
    database.read((tx) => new CertificateOrderStore(tx).find(wanted))
  return {
    name: CERTIFICATES,
    // At once when nothing like it was ordered before.
    nextDue: async (database) => (await find(database))?.dueAt ?? new Date(0),
    async run(database, now, signal) {
      const { failures = 0 } = (await find(database)) ?? {}
      try {
        const { chain, key } = await orders.order(wanted.domains.split(','), signal)
        const issued = { chain, sealedKey: box.seal(key, certificateOwner(orderName(wanted))) }
        const order = { dueAt: renewAt(chain, now), failures: 0 }
        await database.write((tx) => new CertificateOrderStore(tx).put(wanted, order, issued))
      } catch (error) {
        // A server that stops has not failed.
        if (signal?.aborted) throw error
        const order = { dueAt: retryAt(failures + 1, now), failures: failures + 1 }
        await database.write((tx) => new CertificateOrderStore(tx).put(wanted, order))
        throw error
      }
      parts.onIssued()
      return `a certificate was issued for ${wanted.domains}`
    },
  }
}
