/** What a site shows besides its settings: its certificates and what it has delivered lately. */
import { X509Certificate } from 'node:crypto'
import type { Tx } from '../../storage/database.ts'
import { AutoCertificateStore } from './auto-certificate-store.ts'
import { CertificateStore } from './certificate-store.ts'
import type { Site } from './site-rules.ts'
import type { SiteFigures } from './site-wire.ts'
import { UsageStore } from './usage-store.ts'

/** Read for all sites at once. */
export async function figuresOf(
  tx: Tx,
  sites: readonly Site[],
  now: Date,
): Promise<(site: Site) => SiteFigures> {
  const ids = sites.map(({ id }) => id)
  const certificates = await new CertificateStore(tx).listOf(ids)
  const automatic = await new AutoCertificateStore(tx).listOf(ids)
  const lastWeek = await new UsageStore(tx).ofLastWeek(ids, now)
  return ({ id }) => {
    const own = certificates.filter(({ certificate }) => certificate.siteId === id)
    const current = own.find(({ generation }) => generation === 'current')?.certificate
    const order = automatic.find(({ siteId }) => siteId === id)
    const leaf = current && new X509Certificate(current.chain)
    return {
      hasCertificate: current !== undefined,
      hasOldCertificate: own.some(({ generation }) => generation === 'old'),
      isAutomatic: current !== undefined && order?.certificateId === current.id,
      isOrdered: order !== undefined && order.certificateId === undefined,
      notBefore: leaf?.validFromDate,
      notAfter: leaf?.validToDate,
      bytesInLastWeek: lastWeek.get(id)?.bytesSent ?? 0,
    }
  }
}
