/** The shapes of the web accelerator's answers. */
import { Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'

const Epoch = Type.Union([Type.String(), Type.Integer(), Type.Null()])

/** What list and detail show; the origin's members depend on its type. */
export const siteMembers = {
  ID: Type.String(),
  Name: Type.String(),
  DomainType: Type.String(),
  Domain: Type.String(),
  ASCIIDomain: Type.String(),
  Subdomain: Type.String(),
  OriginProtocol: Type.String(),
  RequestProtocol: Type.String(),
  OriginType: Type.String(),
  Origin: Type.Optional(Type.String()),
  HostHeader: Type.Optional(Type.String()),
  BucketName: Type.Optional(Type.String()),
  S3Endpoint: Type.Optional(Type.String()),
  S3Region: Type.Optional(Type.String()),
  AccessKeyID: Type.Optional(Type.String()),
  DocIndex: Type.Optional(Type.String()),
  VarySupport: Type.String(),
  NormalizeAE: Type.String(),
  CORSRules: Type.Array(
    Type.Object({
      AllowsAnyOrigin: Type.Optional(Type.Boolean()),
      AllowedOrigins: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  Status: Type.String(),
  OriginGuardToken: Secret(),
  NextOriginGuardToken: Secret(),
  DefaultCacheTTL: Type.Integer(),
  CreatedAt: Type.String(),
  HasCertificate: Type.Boolean(),
  HasOldCertificate: Type.Boolean(),
  GibSentInLastWeek: Type.Number(),
  CertType: Type.String(),
  CertOpStatus: Type.String(),
  CertValidNotBefore: Epoch,
  CertValidNotAfter: Epoch,
}

export const Site = Type.Object({ ...siteMembers, OnetimeURLSecrets: Type.Array(Secret()) })

const Name = (fields: readonly string[]) =>
  Type.Object(Object.fromEntries(fields.map((field) => [field, Type.String()])))
const ISSUER = ['Country', 'Organization', 'OrganizationalUnit', 'CommonName']

export const Certificate = Type.Object(
  {
    ID: Type.String(),
    SiteID: Type.String(),
    CertificateChain: Type.String(),
    SerialNumber: Type.String(),
    NotBefore: Type.Union([Type.String(), Type.Integer()]),
    NotAfter: Type.Union([Type.String(), Type.Integer()]),
    Issuer: Name(ISSUER),
    Subject: Name([
      ...ISSUER,
      'Locality',
      'Province',
      'StreetAddress',
      'PostalCode',
      'SerialNumber',
    ]),
    DNSNames: Type.Array(Type.String()),
    SHA256Fingerprint: Type.String(),
    CreatedAt: Type.String(),
    UpdatedAt: Type.String(),
  },
  { title: 'Certificate' },
)
