/**
 * X.509 v3 certificates for the local CA and for the server, in the profile that OpenSSL (also
 * with -x509_strict), Go, Chromium and curl all accept: ECDSA P-256 with SHA-256, names only in
 * subjectAltName, and key identifiers so that a client that trusts several CAs of the same kind
 * finds the right one.
 */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import { DAY_MS } from '../../kernel/units.ts'
import {
  bitString,
  boolean,
  explicit,
  implicit,
  integer,
  isPrintable,
  octetString,
  oid,
  printableString,
  sequence,
  set,
  time,
  utf8String,
} from './der.ts'

/** Browsers refuse a longer life of a server certificate (CA/Browser Forum, Apple). */
export const SERVER_LIFE_DAYS = 397

const OID = {
  commonName: '2.5.4.3',
  ecdsaWithSha256: '1.2.840.10045.4.3.2',
  subjectKeyIdentifier: '2.5.29.14',
  keyUsage: '2.5.29.15',
  subjectAltName: '2.5.29.17',
  basicConstraints: '2.5.29.19',
  authorityKeyIdentifier: '2.5.29.35',
  extendedKeyUsage: '2.5.29.37',
  serverAuth: '1.3.6.1.5.5.7.3.1',
} as const

export interface CertificateRequest {
  readonly subject: string
  readonly publicKey: KeyObject
  /** For a CA, its own name and keys. The key is a private one on P-256. */
  readonly issuer: { readonly name: string; readonly key: KeyObject; readonly publicKey: KeyObject }
  /** Up to 20 octets, not all zero, read as an unsigned number. */
  readonly serialNumber: Uint8Array
  readonly notBefore: Date
  readonly notAfter: Date
  readonly isCa: boolean
  /** Host names and IP addresses. */
  readonly names?: readonly string[]
}

/** Makes and signs the certificate; the answer is PEM. */
export function issueCertificate(request: CertificateRequest): string {
  refuseUnacceptable(request)
  const { issuer, subject, publicKey, notBefore, notAfter } = request
  const algorithm = sequence(oid(OID.ecdsaWithSha256))
  const toBeSigned = sequence(
    explicit(0, integer(2)),
    integer(request.serialNumber),
    algorithm,
    distinguishedName(issuer.name),
    sequence(time(notBefore), time(notAfter)),
    distinguishedName(subject),
    keyInfo(publicKey),
    explicit(3, sequence(...extensionsOf(request))),
  )
  const signature = sign('sha256', toBeSigned, { key: issuer.key, dsaEncoding: 'der' })
  return pem(sequence(toBeSigned, algorithm, bitString(signature)))
}

/**
 * The form of a host name or an address that stands in a certificate: ASCII (A-labels), lower
 * case, no dot at the end. Throws for what is neither.
 */
export function certificateName(name: string): string {
  // A zone (fe80::1%eth0) means something on one machine only and has no place in a certificate.
  if (isIP(name) !== 0 && !name.includes('%')) return name
  const ascii = /[\s/\\?#@:[\]%]/.test(name) ? '' : domainToASCII(name).replace(/\.$/, '')
  const labels = ascii.replace(/^\*\./, '').split('.')
  const isHost = labels.every((label) => /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label))
  if (!isHost || ascii.length > 253 || isIP(ascii) !== 0) {
    throw new Error(`${JSON.stringify(name)} is neither a host name nor an IP address.`)
  }
  return ascii
}

/** 160 bits of SHA-256, as RFC 7093 proposes; SHA-1 is not to be had everywhere any more. */
export function keyIdentifier(publicKey: KeyObject): Buffer {
  return createHash('sha256').update(keyInfo(publicKey)).digest().subarray(0, 20)
}

function refuseUnacceptable(request: CertificateRequest): void {
  const { issuer, notBefore, notAfter, isCa, serialNumber } = request
  if (issuer.key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('Only an EC key on P-256 can sign a certificate here.')
  }
  // The sign octet counts towards the 20 that RFC 5280 allows.
  if (serialNumber.every((octet) => octet === 0) || integer(serialNumber).length > 2 + 20) {
    throw new RangeError('A serial number is positive and has at most 20 octets.')
  }
  // Both ends belong to the validity, hence the one second.
  const lifeMs = notAfter.getTime() - notBefore.getTime() + 1000
  if (!(lifeMs > 1000)) throw new RangeError('A certificate ends after it begins.')
  if (!isCa && lifeMs > SERVER_LIFE_DAYS * DAY_MS) {
    throw new RangeError(`A server certificate lives at most ${SERVER_LIFE_DAYS} days.`)
  }
}

/** Go compares names octet by octet, so issuer and subject must come from this one function. */
function distinguishedName(commonName: string): Buffer {
  if (commonName.length === 0 || [...commonName].length > 64) {
    throw new RangeError('A common name has 1 to 64 characters.')
  }
  const value = isPrintable(commonName) ? printableString(commonName) : utf8String(commonName)
  return sequence(set(sequence(oid(OID.commonName), value)))
}

function extensionsOf({ isCa, publicKey, issuer, names = [] }: CertificateRequest): Buffer[] {
  const critical = true
  const authority = sequence(implicit(0, keyIdentifier(issuer.publicKey)))
  const common = [
    extension(OID.subjectKeyIdentifier, octetString(keyIdentifier(publicKey))),
    extension(OID.authorityKeyIdentifier, authority),
  ]
  const alternatives = [...new Set(names.map(certificateName))].map(generalName)
  if (alternatives.length > 0) common.push(extension(OID.subjectAltName, sequence(...alternatives)))
  if (isCa) {
    return [
      // Path length 0: it signs servers, never another CA.
      extension(OID.basicConstraints, sequence(boolean(true), integer(0)), critical),
      // Bits 5 and 6: keyCertSign, cRLSign.
      extension(OID.keyUsage, bitString(Buffer.of(0b0000_0110), 1), critical),
      ...common,
    ]
  }
  return [
    extension(OID.basicConstraints, sequence(), critical),
    // Bit 0: digitalSignature, all that ECDHE with ECDSA uses.
    extension(OID.keyUsage, bitString(Buffer.of(0b1000_0000), 7), critical),
    extension(OID.extendedKeyUsage, sequence(oid(OID.serverAuth))),
    ...common,
  ]
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  // DER leaves out a value that is the default, which is false here.
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), octetString(value))
}

function generalName(name: string): Buffer {
  return isIP(name) === 0 ? implicit(2, Buffer.from(name, 'latin1')) : implicit(7, address(name))
}

function address(ip: string): Buffer {
  if (isIP(ip) === 4) return Buffer.from(ip.split('.').map(Number))
  // The URL parser turns every way to write an IPv6 address, also one with an IPv4 tail, into the
  // shortest hexadecimal one, which leaves only `::` to expand.
  const [head = '', tail = ''] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0')
  const all = [...groups(head), ...zeros, ...groups(tail)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function keyInfo(publicKey: KeyObject): Buffer {
  return publicKey.export({ type: 'spki', format: 'der' })
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}
