/** What a site shows besides its settings: its certificates and what it has delivered lately. */
import { X509Certificate } from 'node:crypto'
import type { Tx } from '../../storage/database.ts'
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
  const lastWeek = await new UsageStore(tx).ofLastWeek(ids, now)
  return ({ id }) => {
    const own = certificates.filter(({ certificate }) => certificate.siteId === id)
    const current = own.find(({ generation }) => generation === 'current')?.certificate
    const leaf = current && new X509Certificate(current.chain)
    return {
      hasCertificate: current !== undefined,
      hasOldCertificate: own.some(({ generation }) => generation === 'old'),
      notBefore: leaf?.validFromDate,
      notAfter: leaf?.validToDate,
      bytesInLastWeek: lastWeek.get(id)?.bytesSent ?? 0,
    }
  }
}
