/** Certificates and keys in files. What is wrong with one is said in a sentence that names the file. */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates } from 'node:tls'
import { StartError } from '../kernel/errors.ts'
import type { Tls } from '../kernel/served-certificate.ts'
import { HOUR_MS } from '../kernel/units.ts'
import { splitPem } from '../kernel/x509/pem.ts'

/** Between the clocks of an authority, of clients and of this machine. */
const CLOCK_SKEW_MS = HOUR_MS

export interface TlsFiles {
  readonly certFile: string
  readonly keyFile: string
}

/** The certificate and the key that an operator gives, in PEM. */
export function readTls({ certFile, keyFile }: TlsFiles, now: Date): Tls {
  const cert = readText(certFile)
  const keyText = readText(keyFile)
  const [leaf, ...others] = parseChain(cert, certFile)
  const key = parseKey(keyText, keyFile)
  if (!leaf.checkPrivateKey(key)) {
    throw others.some((other) => other.checkPrivateKey(key))
      ? new Error(`The file ${certFile} must begin with the certificate of the server itself.`)
      : new Error(`The key in ${keyFile} does not belong to the certificate in ${certFile}.`)
  }
  if (leaf.validToDate <= now) {
    const endedAt = leaf.validToDate.toISOString()
    throw new Error(`The certificate in ${certFile} has expired at ${endedAt}.`)
  }
  if (leaf.validFromDate.getTime() > now.getTime() + CLOCK_SKEW_MS) {
    const beginsAt = leaf.validFromDate.toISOString()
    throw new Error(`The certificate in ${certFile} is not valid before ${beginsAt}.`)
  }
  try {
    createSecureContext({ cert, key: keyText })
  } catch (cause) {
    throw new Error(`TLS cannot use the certificate in ${certFile}: ${reason(cause)}.`, { cause })
  }
  return { cert, key: keyText }
}

/** Undefined where the usual roots are enough. */
export function trustedOf(more: readonly string[]): string | undefined {
  return more.length > 0 ? [...rootCertificates, ...more].join('\n') : undefined
}

export function readRoots(flag: string, file: string | undefined): string[] {
  if (file === undefined) return []
  try {
    const { blocks } = splitPem(readFileSync(file, 'utf8'))
    for (const block of blocks) new X509Certificate(block)
    if (blocks.length > 0) return [...blocks]
  } catch (error) {
    throw new StartError(`The file ${file} of ${flag} cannot be used: ${reason(error)}.`)
  }
  throw new StartError(`The file ${file} of ${flag} holds no certificate in PEM.`)
}

export function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`The file ${file} cannot be read: ${reason(cause)}.`, { cause })
  }
}

export function parseChain(text: string, file: string): [X509Certificate, ...X509Certificate[]] {
  const { blocks, rest } = splitPem(text)
  if (rest.includes('CERTIFICATE-----')) {
    throw new Error(`The file ${file} holds a damaged certificate.`)
  }
  try {
    const [first, ...others] = blocks.map((block) => new X509Certificate(block))
    if (first !== undefined) return [first, ...others]
  } catch (cause) {
    throw new Error(`The file ${file} holds a damaged certificate.`, { cause })
  }
  throw new Error(`The file ${file} holds no certificate in PEM.`)
}

export function parseKey(text: string, file: string): KeyObject {
  if (/-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(text)) {
    throw new Error(`The key in ${file} is encrypted: give it without a passphrase.`)
  }
  if (!/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    throw new Error(`The file ${file} holds no private key in PEM.`)
  }
  try {
    return createPrivateKey(text)
  } catch (cause) {
    throw new Error(`The file ${file} holds a damaged private key.`, { cause })
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  EISDIR: 'it is a folder',
  EROFS: 'the file system is read-only',
}

export function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return REASONS[code] ?? cause.message
}
