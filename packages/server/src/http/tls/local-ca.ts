/**
 * Where the certificate of the listening port comes from: a local CA and a server certificate that are made once and
 * kept in a folder, or the files that an operator gives. The CA is what clients trust: it is replaced only when it is of
 * no use any more, and a file that this server did not write, or cannot read, is never overwritten. What fails here
 * fails at the start, for a person who has to repair it: every error is one sentence that names the file.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import * as fs from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { DAY_MS } from '../../kernel/units.ts'
import {
  certificateName,
  issueCertificate,
  keyIdentifier,
  SERVER_LIFE_DAYS,
} from '../../kernel/x509/certificate.ts'
import { splitPem } from '../../kernel/x509/pem.ts'

export const CA_LIFE_DAYS = 3650
export const RENEW_BEFORE_DAYS = 30

/** A client whose clock is a little behind accepts a certificate that was made just now. */
const BACKDATE_MS = 3_600_000

const SUBJECTS = { ca: 'Kumoi local CA', server: 'Kumoi local server' } as const

type Role = keyof typeof SUBJECTS

export type RandomBytes = (size: number) => Uint8Array

export interface Tls {
  /** PEM: the server's certificate first, then those that lead to the CA. */
  readonly cert: string
  readonly key: string
}

export interface LocalTls extends Tls {
  readonly ca: string
  /** The file to give to clients; there is none when all is in memory. */
  readonly caFile: string | undefined
  readonly caKey: string
}

export interface LocalTlsOptions {
  /** Undefined keeps everything in memory. */
  readonly folder: string | undefined
  readonly names: readonly string[]
  /** The wall clock, since clients will judge the certificate by theirs. */
  readonly now: Date
  readonly randomBytes: RandomBytes
}

interface Pair {
  readonly certificate: X509Certificate
  readonly key: KeyObject
}

export function loadOrMakeTls(options: LocalTlsOptions): LocalTls {
  const { folder } = options
  if (folder !== undefined) prepareFolder(folder)
  const keptCa = readPair(folder, 'ca')
  const ca = keptCa !== undefined && isUsableCa(keptCa, options) ? keptCa : makeCa(options)
  if (ca !== keptCa) keep(options, 'ca', ca, ca)
  const kept = readPair(folder, 'server')
  const server =
    kept !== undefined && isUsableServer(kept, ca, options) ? kept : makeServer(ca, options)
  if (server !== kept) keep(options, 'server', server, ca)
  return {
    ...toTls(server, ca),
    caKey: keyPem(ca.key),
    ca: `${ca.certificate}`,
    caFile: folder === undefined ? undefined : join(folder, 'ca.pem'),
  }
}

/** Another certificate of the same CA. */
export function issueTls({ ca, caKey }: LocalTls, options: Omit<LocalTlsOptions, 'folder'>): Tls {
  const pair = { certificate: new X509Certificate(ca), key: createPrivateKey(caKey) }
  return toTls(makeServer(pair, { ...options, folder: undefined }), pair)
}

function toTls({ certificate, key }: Pair, ca: Pair): Tls {
  return { cert: `${certificate}${ca.certificate}`, key: keyPem(key) }
}

/** The certificate and the key that an operator gives, in PEM. */
export function readTls(files: { readonly certFile: string; readonly keyFile: string }): Tls {
  const { certFile, keyFile } = files
  const cert = readText(certFile)
  const keyText = readText(keyFile)
  const [leaf, ...others] = parseChain(cert, certFile)
  const key = parseKey(keyText, keyFile)
  if (!leaf.checkPrivateKey(key)) {
    throw others.some((other) => other.checkPrivateKey(key))
      ? new Error(`The file ${certFile} must begin with the certificate of the server itself.`)
      : new Error(`The key in ${keyFile} does not belong to the certificate in ${certFile}.`)
  }
  try {
    createSecureContext({ cert, key: keyText })
  } catch (cause) {
    throw new Error(`TLS cannot use the certificate in ${certFile}: ${reason(cause)}.`, { cause })
  }
  return { cert, key: keyText }
}

function isUsableCa({ certificate, key }: Pair, { folder, now }: LocalTlsOptions): boolean {
  const isWhole =
    certificate.ca &&
    certificate.checkPrivateKey(key) &&
    certificate.checkIssued(certificate) &&
    certificate.verify(certificate.publicKey)
  // A clock that stands wrong for the moment must not cost the CA that clients trust.
  if (isWhole && certificate.validFromDate > now) {
    throw new Error(
      `The CA in ${join(folder ?? '', 'ca.pem')} is valid only from ` +
        `${certificate.validFromDate.toISOString()}: set the clock, which says ` +
        `${now.toISOString()}, or delete the file to have a new CA made.`,
    )
  }
  return isWhole && certificate.validToDate > now
}

function isUsableServer(server: Pair, ca: Pair, { names, now }: LocalTlsOptions): boolean {
  const { certificate } = server
  const endsAt = certificate.validToDate
  const isEnding = endsAt.getTime() - now.getTime() < RENEW_BEFORE_DAYS * DAY_MS
  // One that ends together with the CA cannot be had longer.
  const isLongest = endsAt >= ca.certificate.validToDate
  return (
    certificate.checkPrivateKey(server.key) &&
    certificate.checkIssued(ca.certificate) &&
    certificate.verify(ca.certificate.publicKey) &&
    certificate.validFromDate <= now &&
    endsAt > now &&
    (!isEnding || isLongest) &&
    names.every((name) => covers(certificate, name))
  )
}

function covers(certificate: X509Certificate, name: string): boolean {
  const listed = certificateName(name)
  return isIP(listed) === 0
    ? certificate.checkHost(listed, { subject: 'never' }) !== undefined
    : certificate.checkIP(listed) !== undefined
}

function makeCa({ now, randomBytes }: LocalTlsOptions): Pair {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  // The key's mark lets a person tell two such CAs apart in a trust store.
  const subject = `${SUBJECTS.ca} ${keyIdentifier(publicKey).toString('hex', 0, 4)}`
  const notBefore = new Date(now.getTime() - BACKDATE_MS)
  const pem = issueCertificate({
    subject,
    publicKey,
    issuer: { name: subject, key, publicKey },
    serialNumber: randomBytes(16),
    notBefore,
    notAfter: new Date(notBefore.getTime() + CA_LIFE_DAYS * DAY_MS),
    isCa: true,
  })
  return { certificate: new X509Certificate(pem), key }
}

function makeServer(ca: Pair, { names, now, randomBytes }: LocalTlsOptions): Pair {
  const { privateKey: key, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const notBefore = new Date(now.getTime() - BACKDATE_MS)
  const longest = notBefore.getTime() + SERVER_LIFE_DAYS * DAY_MS - 1000
  const { publicKey: caKey, subject, validToDate } = ca.certificate
  const pem = issueCertificate({
    subject: SUBJECTS.server,
    publicKey,
    issuer: { name: subject.replace('CN=', ''), key: ca.key, publicKey: caKey },
    serialNumber: randomBytes(16),
    notBefore,
    notAfter: new Date(Math.min(longest, validToDate.getTime())),
    isCa: false,
    names,
  })
  return { certificate: new X509Certificate(pem), key }
}

/** What is kept of one role; undefined when a file of the two is missing. */
function readPair(folder: string | undefined, role: Role): Pair | undefined {
  if (folder === undefined) return undefined
  const [certFile, keyFile] = [join(folder, `${role}.pem`), join(folder, `${role}.key`)]
  const hasCertificate = fs.existsSync(certFile)
  const hasKey = fs.existsSync(keyFile)
  const certificate = hasCertificate ? parseChain(readText(certFile), certFile)[0] : undefined
  const key = hasKey ? parseKey(readText(keyFile), keyFile) : undefined
  if (certificate !== undefined && !certificate.subject.startsWith(`CN=${SUBJECTS[role]}`)) {
    throw notOurs(certFile)
  }
  if (key !== undefined && key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw notOurs(keyFile)
  }
  if (hasKey) restrict(keyFile, 0o600)
  return certificate === undefined || key === undefined ? undefined : { certificate, key }
}

function notOurs(file: string): Error {
  return new Error(`The file ${file} was not made by this server: move it elsewhere.`)
}

function keep(options: LocalTlsOptions, role: Role, pair: Pair, ca: Pair): void {
  const { folder, randomBytes } = options
  if (folder === undefined) return
  // A crash between the two leaves a pair that does not fit, which the next start replaces.
  const chain = role === 'ca' ? `${pair.certificate}` : `${pair.certificate}${ca.certificate}`
  replaceFile(join(folder, `${role}.key`), keyPem(pair.key), 0o600, randomBytes)
  replaceFile(join(folder, `${role}.pem`), chain, 0o644, randomBytes)
  const descriptor = fs.openSync(folder, 'r')
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

function replaceFile(file: string, text: string, mode: number, randomBytes: RandomBytes): void {
  const temporary = `${file}.${Buffer.from(randomBytes(6)).toString('hex')}.tmp`
  try {
    fs.writeFileSync(temporary, text, { mode, flag: 'wx', flush: true })
    fs.renameSync(temporary, file)
  } catch (cause) {
    fs.rmSync(temporary, { force: true })
    throw new Error(`The file ${file} cannot be written: ${reason(cause)}.`, { cause })
  }
}

function prepareFolder(folder: string): void {
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new Error(`The folder ${folder} cannot be made: ${reason(cause)}.`, { cause })
  }
  restrict(folder, 0o700)
}

/** Copies and restored backups lose their modes; what is private already is left alone. */
function restrict(path: string, mode: number): void {
  if ((fs.statSync(path).mode & 0o077) === 0) return
  try {
    fs.chmodSync(path, mode)
  } catch (cause) {
    throw new Error(`${path} is open to other users: ${reason(cause)}.`, { cause })
  }
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`The file ${file} cannot be read: ${reason(cause)}.`, { cause })
  }
}

function parseChain(text: string, file: string): [X509Certificate, ...X509Certificate[]] {
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

function parseKey(text: string, file: string): KeyObject {
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

function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'permission is denied',
  EPERM: 'the operation is not permitted',
  EISDIR: 'it is a folder',
  EROFS: 'the file system is read-only',
}

function reason(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const code = 'code' in cause ? String(cause.code) : ''
  return REASONS[code] ?? cause.message
}
