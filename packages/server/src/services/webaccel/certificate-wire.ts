/** A certificate as the interface shows it: read from the PEM each time, never with its key. */
import { X509Certificate } from 'node:crypto'
import { japanTime } from '../../kernel/datetime.ts'

export interface StoredCertificate {
  readonly id: string
  readonly siteId: string
  readonly chain: string
  readonly createdAt: Date
  readonly updatedAt: Date
}

export function certificateToWire(stored: StoredCertificate, asNumbers: boolean) {
  const leaf = new X509Certificate(stored.chain)
  const { issuer, subject } = leaf.toLegacyObject()
  const epoch = (date: Date) => (asNumbers ? date.getTime() : String(date.getTime()))
  return {
    ID: stored.id,
    SiteID: stored.siteId,
    CertificateChain: stored.chain,
    SerialNumber: leaf.serialNumber,
    NotBefore: epoch(leaf.validFromDate),
    NotAfter: epoch(leaf.validToDate),
    Issuer: {
      Country: attribute(issuer, 'C'),
      Organization: attribute(issuer, 'O'),
      OrganizationalUnit: attribute(issuer, 'OU'),
      CommonName: attribute(issuer, 'CN'),
    },
    Subject: {
      Country: attribute(subject, 'C'),
      Organization: attribute(subject, 'O'),
      OrganizationalUnit: attribute(subject, 'OU'),
      Locality: attribute(subject, 'L'),
      Province: attribute(subject, 'ST'),
      StreetAddress: attribute(subject, 'street'),
      PostalCode: attribute(subject, 'postalCode'),
      SerialNumber: attribute(subject, 'serialNumber'),
      CommonName: attribute(subject, 'CN'),
    },
    DNSNames: dnsNames(leaf.subjectAltName),
    SHA256Fingerprint: leaf.fingerprint256,
    CreatedAt: japanTime(stored.createdAt),
    UpdatedAt: japanTime(stored.updatedAt),
  }
}

/** Current and Old as they are; a site without any has an empty array in place of the object. */
export function certificatesToWire(
  current: StoredCertificate | undefined,
  old: StoredCertificate | undefined,
  type: 'current' | 'old' | undefined,
  asNumbers: boolean,
) {
  const members = {
    ...(current && type !== 'old' && { Current: certificateToWire(current, asNumbers) }),
    ...(type !== 'current' &&
      (old || current) && { Old: old ? [certificateToWire(old, asNumbers)] : [] }),
  }
  return Object.keys(members).length === 0 ? [] : members
}

/** A name may hold an attribute several times. */
function attribute(name: unknown, key: string): string {
  const value: unknown = Object(name)[key]
  return [value ?? []].flat().map(String).join(', ')
}

/** `DNS:a.example, IP Address:…, DNS:"odd, name"`: unusual names come quoted as in JSON. */
function dnsNames(text: string | undefined): string[] {
  const entries = (text ?? '').matchAll(/(?:^|, )DNS:("(?:[^"\\]|\\.)*"|[^,]*)/g)
  return [...entries].map(([, name = '']) => (name.startsWith('"') ? JSON.parse(name) : name))
}
