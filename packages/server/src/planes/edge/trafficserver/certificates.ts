/**
 * The certificates of sites as files of Traffic Server, which serves each for the names inside it. So a certificate
 * that names a host of another site is left out: it would be served there.
 */
import { X509Certificate } from 'node:crypto'
import type { EdgeSite } from '../../../services/webaccel/public.ts'

export interface CertificateFiles {
  /** Of ssl_multicert.config. */
  readonly config: string
  /** Chains and keys by file name. */
  readonly files: Readonly<Record<string, string>>
  /** Of sites whose certificate cannot be used. */
  readonly refusedSiteIds: readonly string[]
}

export function certificateFiles(sites: readonly EdgeSite[]): CertificateFiles {
  const owners = new Map(sites.flatMap(({ id, hosts }) => hosts.map((host) => [host, id])))
  const files: Record<string, string> = {}
  const rows: string[] = []
  const refusedSiteIds: string[] = []
  for (const { id, certificate } of sites) {
    if (certificate === null) continue
    const names = namesOf(certificate.chain)
    const isOurs = names?.every((name) => (owners.get(name) ?? id) === id)
    // Both are parts of file names.
    if (!isOurs || !/^\w+$/.test(id)) {
      refusedSiteIds.push(id)
      continue
    }
    files[`${id}.crt`] = certificate.chain
    files[`${id}.key`] = certificate.key
    rows.push(`ssl_cert_name=${id}.crt ssl_key_name=${id}.key\n`)
  }
  return { config: rows.join(''), files, refusedSiteIds }
}

/** Undefined for what is no certificate. */
function namesOf(chain: string): string[] | undefined {
  try {
    const { subjectAltName = '', subject } = new X509Certificate(chain)
    const alternatives = [...subjectAltName.matchAll(/DNS:([^,\s]+)/g)].map(([, name = '']) => name)
    const common = /^CN=(.+)$/m.exec(subject)?.[1]
    const names = common === undefined ? alternatives : [...alternatives, common]
    return names.map((name) => name.toLowerCase())
  } catch {
    return undefined
  }
}
