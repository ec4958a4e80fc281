/** The settings of a site as a form has them, and the rules over them (docs/webaccel.md). */
import type { Input, Site } from '@kumoi/client'
import { siteText } from './texts.ts'

export interface SiteForm {
  readonly name: string
  readonly domainType: 'own_domain' | 'subdomain'
  readonly domain: string
  readonly originType: '0' | '1'
  readonly origin: string
  readonly hostHeader: string
  readonly originProtocol: 'http' | 'https'
  readonly bucket: string
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secret: string
  readonly docIndex: boolean
  readonly requestProtocol: '0' | '1' | '2'
  readonly ttl: string
  readonly vary: boolean
  readonly normalize: '1' | '3'
  readonly cors: 'none' | 'any' | 'some'
  readonly corsOrigins: string
  /** One a line. */
  readonly onetimeSecrets: string
}

export const EMPTY: SiteForm = {
  ...{ name: '', domainType: 'own_domain', domain: '', originType: '0', origin: '' },
  ...{ hostHeader: '', originProtocol: 'https', bucket: '', endpoint: '', region: '' },
  ...{ accessKeyId: '', secret: '', docIndex: false, requestProtocol: '0', ttl: '0' },
  ...{ vary: false, normalize: '1', cors: 'none', corsOrigins: '', onetimeSecrets: '' },
}

export function formOf(site: Site): SiteForm {
  const [rule] = site.CORSRules
  return {
    ...EMPTY,
    name: site.Name,
    domainType: site.DomainType === 'subdomain' ? 'subdomain' : 'own_domain',
    domain: site.Domain,
    originType: site.OriginType === '1' ? '1' : '0',
    origin: site.Origin ?? '',
    hostHeader: site.HostHeader ?? '',
    originProtocol: site.OriginProtocol === 'http' ? 'http' : 'https',
    bucket: site.BucketName ?? '',
    endpoint: site.S3Endpoint ?? '',
    region: site.S3Region ?? '',
    accessKeyId: site.AccessKeyID ?? '',
    docIndex: site.DocIndex === '1',
    requestProtocol: site.RequestProtocol === '1' ? '1' : site.RequestProtocol === '2' ? '2' : '0',
    ttl: String(site.DefaultCacheTTL),
    vary: site.VarySupport === '1',
    normalize: site.NormalizeAE === '3' ? '3' : '1',
    cors: rule === undefined ? 'none' : rule.AllowsAnyOrigin ? 'any' : 'some',
    corsOrigins: rule?.AllowedOrigins?.join('\n') ?? '',
    onetimeSecrets: site.OnetimeURLSecrets.join('\n'),
  }
}

export const TTL_MAX = 604_800
const CORS_MAX = 4
const ONETIME_MAX = 2
const ONETIME_LENGTH_MAX = 255

export interface FormProblems {
  readonly name?: string
  readonly domain?: string
  readonly origin?: string
  readonly storage?: string
  readonly ttl?: string
  readonly cors?: string
  readonly onetime?: string
}

/** `stored` is what the site is now; a new one has nothing yet. */
export function problemsOf(form: SiteForm, stored: SiteForm | undefined): FormProblems {
  const isBucket = form.originType === '1'
  // A secret that is stored for the same kind of origin stays when none is given.
  const hasSecret = form.secret !== '' || stored?.originType === '1'
  const fields = [form.bucket, form.endpoint, form.region, form.accessKeyId]
  const isStored = fields.every((text) => text.trim() !== '') && hasSecret
  const isMine = stored === undefined && form.domainType === 'own_domain'
  return {
    ...(form.name.trim() === '' && { name: siteText('nameNeeded') }),
    ...(isMine && form.domain.trim() === '' && { domain: siteText('domainNeeded') }),
    ...(!isBucket && !isHost(form.origin) && { origin: siteText('originHostWrong') }),
    ...(isBucket && !isStored && { storage: siteText('storageNeeds') }),
    ...(!isTtl(form.ttl) && { ttl: siteText('ttlWrong') }),
    ...(form.cors === 'some' && !areOrigins(form.corsOrigins) && { cors: siteText('corsWrong') }),
    ...(!areSecrets(form.onetimeSecrets) && { onetime: siteText('onetimeWrong') }),
  }
}

export const firstOf = (problems: FormProblems): string | undefined => Object.values(problems)[0]

function isTtl(text: string): boolean {
  const value = Number(text)
  return /^-?\d+$/.test(text.trim()) && value >= -1 && value <= TTL_MAX
}

function isHost(text: string): boolean {
  return text.trim() !== '' && !/[/?#@\s]/.test(text.trim()) && URL.canParse(`https://${text}`)
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

function areOrigins(text: string): boolean {
  const lines = linesOf(text)
  const isOrigin = (line: string) =>
    /^https?:\/\//.test(line) && URL.canParse(line) && new URL(line).origin === line
  return lines.length >= 1 && lines.length <= CORS_MAX && lines.every(isOrigin)
}

function areSecrets(text: string): boolean {
  const lines = linesOf(text)
  return (
    lines.length <= ONETIME_MAX && lines.every((line) => [...line].length <= ONETIME_LENGTH_MAX)
  )
}

type Change = Input<'siteUpdate'>['body']['Site']

/** Only fields of the kind of origin that is chosen: those of the other are refused. */
export function changeOf(form: SiteForm): Change {
  return {
    Name: form.name.trim(),
    RequestProtocol: form.requestProtocol,
    OriginType: form.originType,
    OriginProtocol: form.originType === '1' ? 'https' : form.originProtocol,
    DefaultCacheTTL: Number(form.ttl),
    VarySupport: form.vary ? '1' : '0',
    NormalizeAE: form.normalize,
    CORSRules: corsOf(form),
    OnetimeURLSecrets: linesOf(form.onetimeSecrets),
    ...(form.originType === '0' ? serverOf(form) : bucketOf(form)),
  }
}

function corsOf({ cors, corsOrigins }: SiteForm) {
  if (cors === 'none') return []
  return cors === 'any' ? [{ AllowsAnyOrigin: true }] : [{ AllowedOrigins: linesOf(corsOrigins) }]
}

function serverOf({ origin, hostHeader }: SiteForm) {
  return {
    Origin: origin.trim(),
    ...(hostHeader.trim() !== '' && { HostHeader: hostHeader.trim() }),
  }
}

function bucketOf(form: SiteForm) {
  return {
    BucketName: form.bucket.trim(),
    S3Endpoint: form.endpoint.trim(),
    S3Region: form.region.trim(),
    AccessKeyID: form.accessKeyId.trim(),
    ...(form.secret !== '' && { SecretAccessKey: form.secret }),
    DocIndex: form.docIndex ? ('1' as const) : ('0' as const),
  }
}
