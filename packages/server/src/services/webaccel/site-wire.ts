/** How the wire spells a site: digits for choices, empty texts for what is not set, epochs in two forms. */
import { japanTime } from '../../kernel/datetime.ts'
import { BadRequest } from '../../kernel/errors.ts'
import type { Static } from '../../kernel/type.ts'
import { checkOriginHost, isCorsOrigin } from './domain-rules.ts'
import type { SiteChange, SiteDraft } from './draft-contract.ts'
import type { Cors, Origin, Site, SiteSettings } from './site-rules.ts'

type Change = Static<typeof SiteChange>
type Draft = Static<typeof SiteDraft>

/** Seals a secret that belongs to the site, so that it can be stored. */
export type Seal = (secret: string) => string

const REQUEST_PROTOCOLS = { '0': 'both', '1': 'https', '2': 'redirect' } as const
const NORMALIZE = { '1': 'gzip', '3': 'brotli' } as const
const SERVER_FIELDS = ['Origin', 'HostHeader'] as const
const STORAGE_FIELDS = [
  'BucketName',
  'S3Endpoint',
  'S3Region',
  'AccessKeyID',
  'SecretAccessKey',
  'DocIndex',
] as const
const STORAGE_REQUIRED = [
  'BucketName',
  'S3Endpoint',
  'S3Region',
  'AccessKeyID',
  'SecretAccessKey',
] as const

export function settingsFromDraft(draft: Draft, domain: string, seal: Seal): SiteSettings {
  const { origin, ...rest } = BLANK
  const blank: SiteSettings = {
    ...rest,
    origin: draft.OriginType === '1' ? { ...origin, type: 'server' } : emptyStorage,
    originProtocol: draft.OriginType === '1' ? 'https' : 'http',
    name: draft.Name,
    domainType: draft.DomainType,
    domain,
  }
  // From the other type, so that a creation needs what a change of the type needs.
  return changeSettings(blank, draft, seal)
}

const emptyStorage = {
  type: 'storage',
  bucket: '',
  endpoint: '',
  region: '',
  accessKeyId: '',
  secret: '',
  docIndex: false,
} as const

const BLANK = {
  requestProtocol: 'both',
  origin: { type: 'server', host: '', hostHeader: '' },
  defaultCacheTtlSeconds: 0,
  varySupport: false,
  normalize: 'gzip',
  cors: undefined,
  onetimeSecrets: [],
} as const

/** Only what is listed changes (interface, PUT /site). */
export function changeSettings(settings: SiteSettings, change: Change, seal: Seal): SiteSettings {
  const { RequestProtocol, OriginProtocol, DefaultCacheTTL, VarySupport, NormalizeAE } = change
  return {
    ...settings,
    name: change.Name ?? settings.name,
    requestProtocol: RequestProtocol
      ? REQUEST_PROTOCOLS[RequestProtocol]
      : settings.requestProtocol,
    originProtocol: OriginProtocol || settings.originProtocol,
    origin: originFromWire(settings.origin, change, seal),
    defaultCacheTtlSeconds: DefaultCacheTTL ?? settings.defaultCacheTtlSeconds,
    varySupport: VarySupport ? VarySupport === '1' : settings.varySupport,
    normalize: NormalizeAE ? NORMALIZE[NormalizeAE] : settings.normalize,
    cors: change.CORSRules ? corsFromWire(change.CORSRules) : settings.cors,
    onetimeSecrets: change.OnetimeURLSecrets?.map(seal) ?? settings.onetimeSecrets,
  }
}

function originFromWire(origin: Origin, change: Change, seal: Seal): Origin {
  const wanted = change.OriginType
    ? change.OriginType === '1'
      ? 'storage'
      : 'server'
    : origin.type
  refuseForeign(change, wanted)
  if (wanted === 'server') {
    if (origin.type !== 'server') requireAll(change, ['Origin'])
    const before = origin.type === 'server' ? origin : { host: '', hostHeader: '' }
    const host = change.Origin ? checkOriginHost(change.Origin, 'Site.Origin') : before.host
    const header = change.HostHeader && checkOriginHost(change.HostHeader, 'Site.HostHeader')
    return { type: 'server', host, hostHeader: header || before.hostHeader || host }
  }
  if (origin.type !== 'storage') requireAll(change, STORAGE_REQUIRED)
  const before = origin.type === 'storage' ? origin : emptyStorage
  return {
    ...before,
    bucket: change.BucketName || before.bucket,
    endpoint: change.S3Endpoint
      ? checkOriginHost(change.S3Endpoint, 'Site.S3Endpoint')
      : before.endpoint,
    region: change.S3Region || before.region,
    accessKeyId: change.AccessKeyID || before.accessKeyId,
    secret: change.SecretAccessKey ? seal(change.SecretAccessKey) : before.secret,
    docIndex: change.DocIndex ? change.DocIndex === '1' : before.docIndex,
  }
}

function refuseForeign(change: Change, type: Origin['type']): void {
  const foreign = (type === 'server' ? STORAGE_FIELDS : SERVER_FIELDS).find(
    (field) => change[field],
  )
  if (foreign !== undefined) {
    const wire = type === 'server' ? '0' : '1'
    throw new BadRequest(
      `Site.${foreign} does not belong to Site.OriginType ${wire}.`,
      `Site.${foreign} は Site.OriginType ${wire} では使えません。`,
    )
  }
}

function requireAll(change: Change, fields: readonly (keyof Change)[]): void {
  const missing = fields.filter((field) => !change[field]).map((field) => `Site.${field}`)
  if (missing.length > 0) {
    throw new BadRequest(
      `The origin type needs: ${missing.join(', ')}.`,
      `このオリジン種別には次の項目が必要です: ${missing.join(', ')}`,
    )
  }
}

function corsFromWire(rules: NonNullable<Change['CORSRules']>): Cors {
  const [rule] = rules
  if (rule === undefined) return undefined
  const origins = rule.AllowedOrigins ?? []
  if (rule.AllowsAnyOrigin && origins.length === 0) return { any: true }
  const bad = origins.find((origin) => !isCorsOrigin(origin))
  if (rule.AllowsAnyOrigin || origins.length === 0 || bad !== undefined) {
    const detail =
      bad === undefined ? 'either AllowsAnyOrigin or AllowedOrigins' : JSON.stringify(bad)
    throw new BadRequest(
      `Site.CORSRules[0] needs ${bad === undefined ? detail : `origins of scheme and host only, not ${detail}`}.`,
      `Site.CORSRules[0] が不正です: ${detail}`,
    )
  }
  return { origins }
}

/** The certificate and traffic figures that a site shows. */
export interface SiteFigures {
  readonly hasCertificate: boolean
  readonly hasOldCertificate: boolean
  /** Issued by itself, or about to be. */
  readonly isAutomatic: boolean
  readonly isOrdered: boolean
  readonly notBefore: Date | undefined
  readonly notAfter: Date | undefined
  readonly bytesInLastWeek: number
}

const GIB = 1024 ** 3

/** What list and detail have in common; the epochs differ. */
function common(site: Site, figures: SiteFigures) {
  const { settings } = site
  return {
    ID: site.id,
    Name: settings.name,
    DomainType: settings.domainType,
    Domain: settings.domain,
    ASCIIDomain: site.asciiDomain,
    Subdomain: site.subdomain,
    OriginProtocol: settings.originProtocol,
    RequestProtocol: digitOf(REQUEST_PROTOCOLS, settings.requestProtocol),
    ...originToWire(settings.origin),
    VarySupport: settings.varySupport ? '1' : '0',
    NormalizeAE: digitOf(NORMALIZE, settings.normalize),
    CORSRules: corsToWire(settings.cors),
    Status: site.status,
    OriginGuardToken: site.guardToken,
    NextOriginGuardToken: site.nextGuardToken,
    DefaultCacheTTL: settings.defaultCacheTtlSeconds,
    CreatedAt: japanTime(site.createdAt),
    HasCertificate: figures.hasCertificate,
    HasOldCertificate: figures.hasOldCertificate,
    GibSentInLastWeek: figures.bytesInLastWeek / GIB,
    // The meaning of the codes is open: docs/webaccel.md.
    CertType: figures.hasCertificate ? (figures.isAutomatic ? '2' : '1') : '',
    CertOpStatus: figures.isOrdered ? '1' : figures.hasCertificate ? '0' : '',
  }
}

export function siteToList(site: Site, figures: SiteFigures) {
  return {
    ...common(site, figures),
    CertValidNotBefore: figures.notBefore?.getTime() ?? null,
    CertValidNotAfter: figures.notAfter?.getTime() ?? null,
  }
}

/** In the detail the epochs are texts, unless the caller asked for numbers. */
export function siteToDetail(
  site: Site,
  figures: SiteFigures,
  onetimeSecrets: readonly string[],
  asNumbers: boolean,
) {
  const epoch = (date: Date | undefined) =>
    date === undefined ? null : asNumbers ? date.getTime() : String(date.getTime())
  return {
    ...common(site, figures),
    OnetimeURLSecrets: [...onetimeSecrets],
    CertValidNotBefore: epoch(figures.notBefore),
    CertValidNotAfter: epoch(figures.notAfter),
  }
}

function originToWire(origin: Origin) {
  if (origin.type === 'server') {
    return { OriginType: '0', Origin: origin.host, HostHeader: origin.hostHeader }
  }
  return {
    OriginType: '1',
    BucketName: origin.bucket,
    S3Endpoint: origin.endpoint,
    S3Region: origin.region,
    AccessKeyID: origin.accessKeyId,
    DocIndex: origin.docIndex ? '1' : '0',
  }
}

function corsToWire(cors: Cors) {
  if (cors === undefined) return []
  return 'any' in cors ? [{ AllowsAnyOrigin: true }] : [{ AllowedOrigins: [...cors.origins] }]
}

function digitOf(words: Readonly<Record<string, string>>, word: string): string {
  return Object.keys(words).find((digit) => words[digit] === word) ?? ''
}
