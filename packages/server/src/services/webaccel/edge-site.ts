/** A site as edges get it: in the order of what they check, with its secrets opened. */
import type { Certificate } from './certificate-store.ts'
import type { EdgeBucket, EdgeOrigin, EdgeSite } from './edge-types.ts'
import type { Site } from './site-rules.ts'
import type { Vault } from './vault.ts'

export function edgeSiteOf(
  site: Site,
  certificate: Certificate | undefined,
  vault: Vault,
): EdgeSite {
  const { id, settings, logUpload } = site
  const open = (sealed: string) => vault.open(id, sealed)
  return {
    id,
    hosts: [...new Set([site.asciiDomain, site.subdomain.toLowerCase()])],
    status: site.status,
    requestProtocol: settings.requestProtocol,
    origin: originOf(site, open),
    defaultCacheTtlSeconds: settings.defaultCacheTtlSeconds,
    varySupport: settings.varySupport,
    normalize: settings.normalize,
    cors: settings.cors ?? null,
    onetimeSecrets: settings.onetimeSecrets.map(open),
    guardToken: site.guardToken,
    acl: site.acl,
    certificate: certificate
      ? { id: certificate.id, chain: certificate.chain, key: open(certificate.sealedKey) }
      : null,
    logUpload: logUpload?.status === 'enabled' ? bucketOf(logUpload, open) : null,
  }
}

function originOf({ settings }: Site, open: (sealed: string) => string): EdgeOrigin {
  const { origin, originProtocol: protocol } = settings
  if (origin.type === 'server') {
    return { type: 'server', protocol, host: origin.host, hostHeader: origin.hostHeader }
  }
  return { type: 'storage', docIndex: origin.docIndex, ...bucketOf(origin, open) }
}

interface SealedBucket extends Omit<EdgeBucket, 'secretAccessKey'> {
  readonly secret: string
}

function bucketOf(bucket: SealedBucket, open: (sealed: string) => string): EdgeBucket {
  return {
    bucket: bucket.bucket,
    endpoint: bucket.endpoint,
    region: bucket.region,
    accessKeyId: bucket.accessKeyId,
    secretAccessKey: open(bucket.secret),
  }
}
