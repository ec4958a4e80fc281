/**
 * A local CA and a server certificate that are made once and kept in a folder. The CA is what clients trust: it is
 * replaced only when it is of no use any more, and a file that this server did not write, or cannot read, is never
 * overwritten. What fails here fails at the start, for a person who has to repair it: every error is one sentence that
 * names the file.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto'
import * as fs from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Tls } from '../kernel/served-certificate.ts'
import { DAY_MS } from '../kernel/units.ts'
import {
  certificateName,
  issueCertificate,
  keyIdentifier,
  SERVER_LIFE_DAYS,
} from '../kernel/x509/certificate.ts'
import { parseChain, parseKey, readText, reason } from './pem-files.ts'

export const CA_LIFE_DAYS = 3650
export const RENEW_BEFORE_DAYS = 30

/** A client whose clock is a little behind accepts a certificate that was made just now. */
const BACKDATE_MS = 3_600_000

const SUBJECTS = { ca: 'Kumoi local CA', server: 'Kumoi local server' } as const

type Role = keyof typeof SUBJECTS

export type RandomBytes = (size: number) => Uint8Array

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
  const server = usableServer(readPair(folder, 'server'), ca, options)
  return {
    ...toTls(server, ca),
    caKey: keyPem(ca.key),
    ca: `${ca.certificate}`,
    caFile: folder === undefined ? undefined : join(folder, 'ca.pem'),
  }
}

/** The same while it is good, else another one of the same CA. Another process may have renewed it already. */
export function renewTls(local: LocalTls, options: LocalTlsOptions): LocalTls {
  const ca = { certificate: new X509Certificate(local.ca), key: createPrivateKey(local.caKey) }
  const kept =
    options.folder === undefined
      ? { certificate: new X509Certificate(local.cert), key: createPrivateKey(local.key) }
      : readPair(options.folder, 'server')
  return { ...local, ...toTls(usableServer(kept, ca, options), ca) }
}

function usableServer(kept: Pair | undefined, ca: Pair, options: LocalTlsOptions): Pair {
  if (kept !== undefined && isUsableServer(kept, ca, options)) return kept
  const server = makeServer(ca, options)
  keep(options, 'server', server, ca)
  return server
}

/** Another certificate of the same CA. */
export function issueTls({ ca, caKey }: LocalTls, options: Omit<LocalTlsOptions, 'folder'>): Tls {
  const pair = { certificate: new X509Certificate(ca), key: createPrivateKey(caKey) }
  return toTls(makeServer(pair, { ...options, folder: undefined }), pair)
}

function toTls({ certificate, key }: Pair, ca: Pair): Tls {
  return { cert: `${certificate}${ca.certificate}`, key: keyPem(key) }
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
  // Node's permission model has no fsync: there a loss of power may take the new names.
  if (process.permission !== undefined) return
  const descriptor = fs.openSync(folder, 'r')
  fs.fsyncSync(descriptor)
  fs.closeSync(descriptor)
}

const { O_CREAT, O_EXCL, O_SYNC, O_WRONLY } = fs.constants
/** On the disk when the write returns. */
const NEW_AND_SYNCHRONOUS = O_WRONLY | O_CREAT | O_EXCL | O_SYNC

function replaceFile(file: string, text: string, mode: number, randomBytes: RandomBytes): void {
  const temporary = `${file}.${Buffer.from(randomBytes(6)).toString('hex')}.tmp`
  try {
    const descriptor = fs.openSync(temporary, NEW_AND_SYNCHRONOUS, mode)
    try {
      fs.writeFileSync(descriptor, text)
    } finally {
      fs.closeSync(descriptor)
    }
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

function keyPem(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
