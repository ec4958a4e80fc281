/** The `sites` and `site_usage` of a world file; bodies use the interface's own names. */
import { BadRequest } from '../../kernel/errors.ts'
import {
  type AccountId,
  ID_PATTERN,
  idFromNumber,
  LAST_GIVEN_ID,
  parseId,
} from '../../kernel/ids.ts'
import { type Static, Type } from '../../kernel/type.ts'
import type { Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import {
  type Change,
  claimId,
  countChanges,
  type WorldMode,
  WorldProblem,
  type WorldSection,
} from '../world-section.ts'
import { meterMonth } from './deliveries.ts'
import { SiteDraft } from './draft-contract.ts'
import type { WebaccelParts } from './parts.ts'
import { makeSite } from './site-create.ts'
import { ONETIME_SECRETS_MAX, type Site, type SiteId } from './site-rules.ts'
import { findSite as findAnySite, SiteStore } from './site-store.ts'
import { siteToDetail } from './site-wire.ts'
import { UsageStore } from './usage-store.ts'

const closed = { additionalProperties: false }
const Status = Type.Enum(['enabled', 'disabled'])

/** As an export gives it: worth something only under the same key-encryption key. */
const Sealed = Type.Object({ sealed: Type.String({ maxLength: 4096 }) }, closed)
const { SecretAccessKey, OnetimeURLSecrets, ...plainFields } = SiteDraft.properties

const SiteEntry = Type.Object(
  {
    account: Type.String(),
    Site: Type.Object({
      ...plainFields,
      SecretAccessKey: Type.Optional(Type.Union([SecretAccessKey, Sealed])),
      OnetimeURLSecrets: Type.Optional(
        Type.Union([OnetimeURLSecrets, Type.Array(Sealed, { maxItems: ONETIME_SECRETS_MAX })]),
      ),
      ID: Type.Optional(Type.String({ pattern: ID_PATTERN })),
      Status: Type.Optional(Status),
    }),
  },
  closed,
)
type SiteEntry = Static<typeof SiteEntry>

const count = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const UsageEntry = Type.Object(
  {
    site: Type.String({ pattern: ID_PATTERN }),
    month: Type.String({ pattern: '^[0-9]{4}(0[1-9]|1[0-2])$' }),
    AccessCount: count,
    BytesSent: count,
    CacheMissBytesSent: count,
  },
  closed,
)

type SectionParts = Pick<WebaccelParts, 'vault' | 'deliveryDomain' | 'makeLabel'>

export function sitesSection(parts: SectionParts): WorldSection {
  return {
    key: 'sites',
    schema: Type.Array(SiteEntry),
    async apply(value, tx, now, mode) {
      const changes: Change[] = []
      // The schema above has been checked by whoever calls apply.
      for (const [index, entry] of (value as SiteEntry[]).entries()) {
        changes.push(await applySite(parts, entry, index, tx, now, mode))
      }
      return countChanges(changes)
    },
    async export(tx) {
      const entries: unknown[] = []
      for (const account of await new AccountStore(tx).list()) {
        const sites = await new SiteStore(tx, account.id).list(0, Number.MAX_SAFE_INTEGER)
        entries.push(...sites.map((site) => ({ account: account.code, Site: exportSite(site) })))
      }
      return entries.length === 0 ? undefined : entries
    },
  }
}

async function applySite(
  parts: SectionParts,
  entry: SiteEntry,
  index: number,
  tx: Tx,
  now: Date,
  mode: WorldMode,
): Promise<Change> {
  const account = await new AccountStore(tx).find(entry.account)
  if (account === undefined) {
    throw new WorldProblem(
      [index, 'account'],
      `names no account: ${entry.account}.`,
      `のアカウント ${entry.account} はありません。`,
    )
  }
  const store = new SiteStore(tx, account.id)
  const found = await findSite(store, entry, index)
  if (found !== undefined && mode === 'add') return 'unchanged'
  const site = await draftSite(parts, entry, account.id, found, tx, now, index)
  if (found !== undefined) {
    await store.update({ ...found, settings: site.settings, status: site.status })
    return 'updated'
  }
  if (!(await store.insert(site))) {
    throw new WorldProblem(
      [index, 'Site'],
      'has an ID or a Domain that is taken.',
      'の ID または Domain は使用済みです。',
    )
  }
  return 'created'
}

async function findSite(
  store: SiteStore,
  { Site }: SiteEntry,
  index: number,
): Promise<Site | undefined> {
  const byDomain = Site.Domain ? await store.findByHost(Site.Domain) : undefined
  if (Site.ID === undefined) return byDomain
  if (Number(Site.ID) > LAST_GIVEN_ID) {
    throw new WorldProblem(
      [index, 'Site', 'ID'],
      `may be at most ${LAST_GIVEN_ID}.`,
      `は ${LAST_GIVEN_ID} 以下です。`,
    )
  }
  // Of another account's site the insert finds out.
  return store.find(Site.ID)
}

async function draftSite(
  parts: SectionParts,
  { Site }: SiteEntry,
  accountId: AccountId,
  found: Site | undefined,
  tx: Tx,
  now: Date,
  index: number,
): Promise<Site> {
  const given = Site.ID === undefined ? undefined : parseId<'site'>(Site.ID)
  const id: SiteId = found?.id ?? given ?? idFromNumber<'site'>(await tx.next('resource'))
  if (given !== undefined && found === undefined) await claimId(tx, given, [index, 'Site', 'ID'])
  const subdomain = found?.subdomain ?? `${parts.makeLabel()}.${parts.deliveryDomain}`
  try {
    const site = makeSite(openSecrets(parts, Site, id, index), {
      id,
      accountId,
      subdomain,
      seal: parts.vault.sealFor(id),
      now,
    })
    return { ...site, status: Site.Status ?? 'disabled' }
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error
    throw new WorldProblem(
      [index, 'Site'],
      `cannot be used: ${error.text.en}`,
      `が不正です: ${error.text.ja}`,
    )
  }
}

/** Secrets in clear, whichever way the file has them. */
function openSecrets({ vault }: SectionParts, site: SiteEntry['Site'], id: SiteId, index: number) {
  const open = (secret: string | { readonly sealed: string }, field: string): string => {
    if (typeof secret === 'string') return secret
    try {
      return vault.open(id, secret.sealed)
    } catch {
      const en = 'was sealed under another key-encryption key, or for another site.'
      throw new WorldProblem([index, 'Site', field], en, 'は別の暗号鍵で封印されています。')
    }
  }
  const { SecretAccessKey: key, OnetimeURLSecrets: secrets, ...rest } = site
  return {
    ...rest,
    ...(key && { SecretAccessKey: open(key, 'SecretAccessKey') }),
    ...(secrets && { OnetimeURLSecrets: secrets.map((one) => open(one, 'OnetimeURLSecrets')) }),
  }
}

/** What an application needs, and nothing that is counted or made; secrets leave sealed. */
function exportSite(site: Site) {
  const { origin, onetimeSecrets } = site.settings
  const { OnetimeURLSecrets: _clear, ...shown } = siteToDetail(site, NO_FIGURES, [], false)
  const kept = Object.entries(shown).filter(
    ([name]) => name in SiteEntry.properties.Site.properties,
  )
  return {
    ...Object.fromEntries(kept),
    OnetimeURLSecrets: onetimeSecrets.map((sealed) => ({ sealed })),
    ...(origin.type === 'storage' && { SecretAccessKey: { sealed: origin.secret } }),
  }
}

const NO_FIGURES = {
  hasCertificate: false,
  hasOldCertificate: false,
  isAutomatic: false,
  isOrdered: false,
  notBefore: undefined,
  notAfter: undefined,
  bytesInLastWeek: 0,
}

/** What is known of past months; the counters of running ones are the server's own. */
export const siteUsageSection: WorldSection = {
  key: 'site_usage',
  schema: Type.Array(UsageEntry),
  async apply(value, tx) {
    const store = new UsageStore(tx)
    const changes: Change[] = []
    for (const [index, entry] of (value as Static<typeof UsageEntry>[]).entries()) {
      const site = await findAnySite(tx, entry.site)
      if (site === undefined) {
        throw new WorldProblem(
          [index, 'site'],
          `names no site: ${entry.site}.`,
          `のサイト ${entry.site} はありません。`,
        )
      }
      const wanted = {
        accessCount: entry.AccessCount,
        bytesSent: entry.BytesSent,
        cacheMissBytesSent: entry.CacheMissBytesSent,
      }
      if (wanted.cacheMissBytesSent > wanted.bytesSent) {
        const en = 'may be at most BytesSent.'
        throw new WorldProblem([index, 'CacheMissBytesSent'], en, 'は BytesSent 以下です。')
      }
      const found = await store.find(site.id, `${entry.month}00`)
      if (JSON.stringify(found) === JSON.stringify(wanted)) {
        changes.push('unchanged')
        continue
      }
      await store.replace(site.id, `${entry.month}00`, wanted)
      await meterMonth(tx, site, entry.month)
      changes.push(found === undefined ? 'created' : 'updated')
    }
    return countChanges(changes)
  },
  async export(tx) {
    const known = (await new UsageStore(tx).listMonths()).filter(({ day }) => day.endsWith('00'))
    if (known.length === 0) return undefined
    return known.map(({ siteId, day, usage }) => ({
      site: siteId,
      month: day.slice(0, 6),
      AccessCount: usage.accessCount,
      BytesSent: usage.bytesSent,
      CacheMissBytesSent: usage.cacheMissBytesSent,
    }))
  },
}
