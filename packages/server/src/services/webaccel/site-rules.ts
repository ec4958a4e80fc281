/** A site, and what its settings may be. Pure; nothing here knows how the wire spells it. */
import { BadRequest } from '../../kernel/errors.ts'
import type { AccountId, Id } from '../../kernel/ids.ts'

export type SiteId = Id<'site'>

/** Interface, Limits: DefaultCacheTTL is -1 or 0 to 604800. */
export const TTL_MIN = -1
export const TTL_MAX = 604_800
export const CORS_ORIGINS_MAX = 4
export const ONETIME_SECRETS_MAX = 2
export const ACL_LENGTH_MAX = 20_000

export type Origin =
  | { readonly type: 'server'; readonly host: string; readonly hostHeader: string }
  | {
      readonly type: 'storage'
      readonly bucket: string
      readonly endpoint: string
      readonly region: string
      readonly accessKeyId: string
      /** Sealed; nobody reads it back but the one who fetches from the bucket. */
      readonly secret: string
      readonly docIndex: boolean
    }

export type Cors = { readonly any: true } | { readonly origins: readonly string[] } | undefined

/** What a caller sets. */
export interface SiteSettings {
  readonly name: string
  readonly domainType: 'own_domain' | 'subdomain'
  readonly domain: string
  readonly requestProtocol: 'both' | 'https' | 'redirect'
  readonly originProtocol: 'http' | 'https'
  readonly origin: Origin
  readonly defaultCacheTtlSeconds: number
  readonly varySupport: boolean
  readonly normalize: 'gzip' | 'brotli'
  readonly cors: Cors
  /** Sealed, each one. */
  readonly onetimeSecrets: readonly string[]
}

export interface LogUpload {
  readonly bucket: string
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  /** Sealed. */
  readonly secret: string
  readonly status: 'enabled' | 'disabled'
}

export interface Site {
  readonly id: SiteId
  readonly accountId: AccountId
  readonly asciiDomain: string
  readonly subdomain: string
  readonly settings: SiteSettings
  readonly status: 'enabled' | 'disabled'
  /** Empty when there is none. */
  readonly guardToken: string
  readonly nextGuardToken: string
  readonly acl: string
  readonly logUpload: LogUpload | undefined
  readonly createdAt: Date
}

/** What holds whatever was changed. */
export function checkSettings(settings: SiteSettings): SiteSettings {
  if (settings.origin.type === 'storage' && settings.originProtocol !== 'https') {
    throw new BadRequest(
      'Site.OriginProtocol must be https when Site.OriginType is 1.',
      'Site.OriginType が 1 の場合、Site.OriginProtocol は https です。',
    )
  }
  return settings
}

export function setStatus(site: Site, status: Site['status']): Site {
  if (site.status === status) {
    throw new BadRequest(
      `Site.Status is ${status} already.`,
      `Site.Status はすでに ${status} です。`,
    )
  }
  return { ...site, status }
}

/** The next token takes over when there is one; else a new one is made. */
export function renewGuardToken(site: Site, makeToken: () => string): Site {
  return { ...site, guardToken: site.nextGuardToken || makeToken(), nextGuardToken: '' }
}
