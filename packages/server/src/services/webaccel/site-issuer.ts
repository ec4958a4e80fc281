/** Certificates for sites: signed by an authority of this cloud, since no public one would vouch for it. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import type { Random } from '../../kernel/random.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { issueCertificate } from '../../kernel/x509/certificate.ts'
import type { Issuer } from './auto-certificate-job.ts'

const NAME = 'Kumoi site authority'
const SITE = 'Kumoi site'
const AUTHORITY_DAYS = 3650
/** As short as that of the authority that clients name. */
export const SITE_DAYS = 90

export function siteIssuer(random: Random): Issuer {
  const issue = (
    request: Pick<Parameters<typeof issueCertificate>[0], 'subject' | 'publicKey' | 'issuer'>,
    now: Date,
    days: number,
    names?: readonly string[],
  ) =>
    issueCertificate({
      ...request,
      serialNumber: random.bytes(16),
      notBefore: now,
      notAfter: new Date(now.getTime() + days * DAY_MS),
      isCa: names === undefined,
      ...(names && { names }),
    })
  return {
    makeAuthority(now) {
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const issuer = { name: NAME, key, publicKey }
      const chain = issue({ subject: NAME, publicKey, issuer }, now, AUTHORITY_DAYS)
      return { chain, key: pem(key) }
    },
    issue(authority, domain, now) {
      const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const issuer = {
        name: NAME,
        key: createPrivateKey(authority.key),
        publicKey: new X509Certificate(authority.chain).publicKey,
      }
      // A common name has 64 characters at most; what counts is the list of names.
      const subject = domain.length <= 64 ? domain : SITE
      const leaf = issue({ subject, publicKey, issuer }, now, SITE_DAYS, [domain])
      return { chain: `${leaf}${authority.chain}`, key: pem(key) }
    },
  }
}

function pem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
