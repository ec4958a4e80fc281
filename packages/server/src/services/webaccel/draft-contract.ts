/** What a client sends of a site, beside `view-contract.ts`, which is what it gets. */
import { orNull, Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { CORS_ORIGINS_MAX, ONETIME_SECRETS_MAX, TTL_MAX, TTL_MIN } from './site-rules.ts'

const bounds = { minLength: 1, maxLength: 255, pattern: '^[^\\u0000-\\u001f]*$' }
const text = Type.String(bounds)
const secretText = Secret(bounds)
const CorsRule = Type.Object({
  AllowsAnyOrigin: orNull(Type.Boolean()),
  AllowedOrigins: orNull(
    Type.Array(Type.String({ maxLength: 300 }), { maxItems: CORS_ORIGINS_MAX }),
  ),
})

/** The fields of an update; those of the origin are checked against its type (interface, Site update fields). */
const changeable = {
  Name: Type.Optional(text),
  RequestProtocol: orNull(Type.Enum(['0', '1', '2'])),
  OriginType: orNull(Type.Enum(['0', '1'])),
  OriginProtocol: orNull(Type.Enum(['http', 'https'])),
  DefaultCacheTTL: orNull(Type.Integer({ minimum: TTL_MIN, maximum: TTL_MAX })),
  VarySupport: orNull(Type.Enum(['0', '1'])),
  NormalizeAE: orNull(Type.Enum(['1', '3'])),
  CORSRules: orNull(Type.Array(CorsRule, { maxItems: 1 })),
  OnetimeURLSecrets: orNull(Type.Array(secretText, { maxItems: ONETIME_SECRETS_MAX })),
  Origin: orNull(text),
  HostHeader: orNull(text),
  BucketName: orNull(text),
  S3Endpoint: orNull(text),
  S3Region: orNull(text),
  AccessKeyID: orNull(text),
  SecretAccessKey: orNull(secretText),
  DocIndex: orNull(Type.Enum(['0', '1'])),
}

export const SiteChange = Type.Object(changeable)
export const SiteDraft = Type.Object({
  ...changeable,
  Name: text,
  DomainType: Type.Enum(['own_domain', 'subdomain']),
  Domain: orNull(text),
  OriginType: Type.Enum(['0', '1']),
})

export const LogUploadDraft = Type.Object({
  Bucket: text,
  Endpoint: text,
  Region: text,
  AccessKeyID: text,
  SecretAccessKey: orNull(secretText),
  Status: Type.Optional(Type.Enum(['enabled', 'disabled'])),
})
