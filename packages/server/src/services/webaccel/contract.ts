import { defineContract } from '../../kernel/contract.ts'
import { orNull, Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { LogUploadDraft, SiteChange, SiteDraft } from './draft-contract.ts'
import { ACL_LENGTH_MAX } from './site-rules.ts'
import { Certificate, Site, siteMembers } from './view-contract.ts'

export const SitePath = Type.Object({ site_id: Type.String({ maxLength: 100 }) })

const full = 'the quota sites of the account is used up'
const SiteReply = Type.Object({ Site })
const CertificateReply = Type.Object({
  Certificate: Type.Union([
    Type.Object({
      Current: Type.Optional(Certificate),
      Old: Type.Optional(Type.Array(Certificate)),
    }),
    // A site without any certificate.
    Type.Array(Certificate, { maxItems: 0 }),
  ]),
})
const Tokens = Type.Object({ OriginGuardToken: Secret(), NextOriginGuardToken: Secret() })
const Acl = Type.Object({ ACL: Type.String({ maxLength: ACL_LENGTH_MAX }) })
const LogUploadReply = Type.Object({
  SiteLogUploadConfig: Type.Object({
    Bucket: Type.String(),
    Endpoint: Type.String(),
    Region: Type.String(),
    AccessKeyID: Type.String(),
    /** Only in a profile whose clients look for it: what was just sent, or asterisks. */
    SecretAccessKey: Type.Optional(Secret()),
    Status: Type.String(),
  }),
})
const CertificateBody = Type.Object({
  Certificate: Type.Object({
    CertificateChain: Type.String(),
    Key: orNull(Secret()),
  }),
})

const noSite = { not_found: 'there is no such site', forbidden: 'the site is another member’s' }
const notConfirmed = 'an edge has not confirmed the deletion yet; it follows'
const read = { access: 'view', external: 'cdn', params: SitePath } as const
const arrange = { access: 'arrange', external: 'cdn', params: SitePath } as const
const create = { access: 'create', external: 'cdn', params: SitePath } as const

export const webaccelContract = defineContract({
  siteList: {
    method: 'GET',
    path: '/site',
    summary: 'List the sites of the account, at most 20 an answer',
    access: 'view',
    external: 'cdn',
    // Interface, common conventions 10.
    plainQuery: true,
    query: Type.Object({
      From: Type.Optional(Type.Integer({ minimum: 0 })),
      Count: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    reply: Type.Object({
      Total: Type.Integer(),
      From: Type.Integer(),
      Count: Type.Integer(),
      CountLimit: Type.Integer(),
      Sites: Type.Array(Type.Object({ Index: Type.Integer(), ...siteMembers })),
    }),
    refuses: { bad_request: 'From or Count is no whole number' },
  },
  siteRead: {
    method: 'GET',
    path: '/site/{site_id}',
    summary: 'Read a site',
    ...read,
    reply: SiteReply,
    refuses: noSite,
  },
  siteCreate: {
    method: 'POST',
    path: '/site',
    summary: 'Create a site',
    access: 'create',
    external: 'cdn',
    body: Type.Object({ Site: SiteDraft }),
    reply: SiteReply,
    refuses: { bad_request: 'a field breaks its rule, or the domain is taken', conflict: full },
  },
  siteUpdate: {
    method: 'PUT',
    path: '/site/{site_id}',
    summary: 'Change the listed fields of a site',
    ...arrange,
    body: Type.Object({ Site: SiteChange }),
    reply: SiteReply,
    refuses: { ...noSite, bad_request: 'a field breaks its rule; nothing is changed' },
  },
  siteDelete: {
    method: 'DELETE',
    path: '/site/{site_id}',
    summary: 'Delete a site',
    ...create,
    reply: SiteReply,
    refuses: noSite,
  },
  siteStatusSet: {
    method: 'PUT',
    path: '/site/{site_id}/status',
    summary: 'Enable or disable a site',
    ...arrange,
    body: Type.Object({ Site: Type.Object({ Status: Type.Enum(['enabled', 'disabled']) }) }),
    reply: SiteReply,
    refuses: { ...noSite, bad_request: 'the status is set already' },
  },
  certificateRead: {
    method: 'GET',
    path: '/site/{site_id}/certificate',
    summary: 'Read the certificates of a site',
    ...read,
    plainQuery: true,
    query: Type.Object({ type: Type.Optional(Type.Enum(['current', 'old'])) }),
    reply: CertificateReply,
    refuses: { ...noSite, bad_request: 'the type is not known' },
  },
  certificateCreate: {
    method: 'POST',
    path: '/site/{site_id}/certificate',
    summary: 'Add a certificate; the current one becomes the old generation',
    ...create,
    body: CertificateBody,
    reply: CertificateReply,
    refuses: { ...noSite, bad_request: 'chain or key cannot be used; the message says why' },
  },
  certificateUpdate: {
    method: 'PUT',
    path: '/site/{site_id}/certificate',
    summary: 'Replace the current certificate; without Key the key stays',
    ...create,
    body: CertificateBody,
    reply: CertificateReply,
    refuses: {
      ...noSite,
      bad_request: 'chain or key cannot be used, or there is no current certificate',
    },
  },
  certificateDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/certificate',
    summary: 'Delete the current certificate; the old one stays',
    ...create,
    reply: CertificateReply,
    refuses: {
      not_found: 'there is no such site or no current certificate',
      forbidden: noSite.forbidden,
    },
  },
  aclRead: {
    method: 'GET',
    path: '/site/{site_id}/acl',
    summary: 'Read the access list',
    ...read,
    reply: Acl,
    refuses: noSite,
  },
  aclSet: {
    method: 'PUT',
    path: '/site/{site_id}/acl',
    summary: 'Replace the access list',
    ...arrange,
    body: Acl,
    reply: Acl,
    refuses: { ...noSite, bad_request: 'a line is no rule; the message names it' },
  },
  aclDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/acl',
    summary: 'Delete the access list',
    ...arrange,
    reply: Type.Object({}),
    refuses: noSite,
  },
  guardTokenCreate: {
    method: 'POST',
    path: '/site/{site_id}/origin-guard-token',
    summary: 'Make a guard token, or promote the next one',
    ...arrange,
    reply: Tokens,
    refuses: noSite,
  },
  guardTokenDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/origin-guard-token',
    summary: 'Delete the guard token',
    ...arrange,
    reply: Tokens,
    refuses: noSite,
  },
  nextGuardTokenCreate: {
    method: 'POST',
    path: '/site/{site_id}/origin-guard-token/next',
    summary: 'Make the guard token that will follow',
    ...arrange,
    reply: Tokens,
    refuses: noSite,
  },
  nextGuardTokenDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/origin-guard-token/next',
    summary: 'Delete the guard token that would follow',
    ...arrange,
    reply: Tokens,
    refuses: noSite,
  },
  logUploadRead: {
    method: 'GET',
    path: '/site/{site_id}/log-upload-config',
    summary: 'Read where logs go',
    ...read,
    reply: LogUploadReply,
    refuses: noSite,
  },
  logUploadSet: {
    method: 'PUT',
    path: '/site/{site_id}/log-upload-config',
    summary: 'Set where logs go',
    ...arrange,
    body: Type.Object({ SiteLogUploadConfig: LogUploadDraft }),
    reply: LogUploadReply,
    refuses: { ...noSite, bad_request: 'a field is missing; the first time the secret too' },
  },
  logUploadDelete: {
    method: 'DELETE',
    path: '/site/{site_id}/log-upload-config',
    summary: 'Send logs nowhere',
    ...arrange,
    reply: Type.Object({}),
    refuses: noSite,
  },
  cacheDelete: {
    method: 'POST',
    path: '/deletecache',
    summary: 'Take addresses out of the caches',
    access: 'arrange',
    external: 'cdn',
    body: Type.Object({
      URL: Type.Array(Type.String({ maxLength: 2000 }), { minItems: 1, maxItems: 100 }),
    }),
    reply: Type.Object({
      Results: Type.Array(
        Type.Object({ URL: Type.String(), Status: Type.Integer(), Result: Type.String() }),
      ),
    }),
    afterCommit: true,
    refuses: { bad_request: 'no address, or more than 100', service_unavailable: notConfirmed },
  },
  cacheDeleteAll: {
    method: 'POST',
    path: '/deleteallcache',
    summary: 'Take everything of a site out of the caches',
    access: 'arrange',
    external: 'cdn',
    body: Type.Object({ Site: Type.Object({ Domain: Type.String({ maxLength: 255 }) }) }),
    reply: Type.Object({}),
    afterCommit: true,
    refuses: {
      bad_request: 'the body is broken',
      not_found: 'the account has no site of this domain',
      service_unavailable: notConfirmed,
    },
  },
  monthlyUsageRead: {
    method: 'GET',
    path: '/monthlyusage',
    summary: 'Read what the sites have delivered in a month',
    access: 'view',
    external: 'cdn',
    plainQuery: true,
    query: Type.Object({ target: Type.Optional(Type.Union([Type.String(), Type.Integer()])) }),
    reply: Type.Object({
      Year: Type.Integer(),
      Month: Type.Integer(),
      MonthlyUsages: Type.Array(
        Type.Object({
          SiteID: Type.String(),
          Domain: Type.String(),
          ASCIIDomain: Type.String(),
          Subdomain: Type.String(),
          AccessCount: Type.Integer(),
          BytesSent: Type.Integer(),
          CacheMissBytesSent: Type.Integer(),
          CacheHitRatio: Type.Number(),
          BytesCacheHitRatio: Type.Number(),
          Price: Type.Integer(),
        }),
      ),
      Success: Type.Literal(true),
    }),
    refuses: { bad_request: 'target is not a year and month of six digits' },
  },
})
