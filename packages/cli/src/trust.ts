/**
 * The certificates that programs are to trust. SSL_CERT_FILE takes the place of the system's roots, and
 * NODE_EXTRA_CA_CERTS of the file that it named before, so ours alone would break every other connection.
 */
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { getCACertificates } from 'node:tls'
import { EXIT, Failure } from './failure.ts'

/** The system's roots, those of an earlier NODE_EXTRA_CA_CERTS and ours, in a file beside ours. */
export function trustVariables(caFile: string): Readonly<Record<string, string>> {
  const own = resolve(caFile)
  const bundle = join(dirname(own), 'bundle.pem')
  try {
    const ours = readFileSync(own, 'utf8')
    const extra = getCACertificates('extra')
    const all = [...getCACertificates('system'), ...extra, ours]
    // It may be in use by what was started before: it is written only when it would change.
    const text = unique(all).join('\n')
    if (readIfThere(bundle) !== text) writeFileSync(bundle, text)
    const isExtended = unique([...extra, ours]).length > 1
    return {
      KUMOI_CA_FILE: own,
      NODE_EXTRA_CA_CERTS: isExtended ? bundle : own,
      SSL_CERT_FILE: bundle,
    }
  } catch (cause) {
    throw new Failure(
      `The certificates cannot be put into ${bundle}.`,
      EXIT.failed,
      undefined,
      cause,
    )
  }
}

function unique(certificates: readonly string[]): string[] {
  const seen = new Map(
    certificates.map((pem) => [new X509Certificate(pem).fingerprint256, pem.trim()]),
  )
  return [...seen.values()].map((pem) => `${pem}\n`)
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
