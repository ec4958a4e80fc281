import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest } from '../../kernel/errors.ts'
import { idFromNumber } from '../../kernel/ids.ts'
import { checkQuota } from '../account/public.ts'
import type { Context } from '../context.ts'
import { Meter } from '../metering/public.ts'
import type { webaccelContract } from './contract.ts'
import { figuresOf } from './figures.ts'
import type { WebaccelParts } from './parts.ts'
import { makeSite } from './site-create.ts'
import { checkSettings, type Site, setStatus } from './site-rules.ts'
import { SiteStore } from './site-store.ts'
import { changeSettings, siteToDetail, siteToList } from './site-wire.ts'

/** Interface, Limits: a list has at most 20 sites an answer. */
export const COUNT_LIMIT = 20

type Own = 'siteList' | 'siteRead' | 'siteCreate' | 'siteUpdate' | 'siteDelete' | 'siteStatusSet'

export function siteHandlers(
  parts: WebaccelParts,
): Pick<Handlers<typeof webaccelContract, Context>, Own> {
  return {
    async siteList({ query }, { tx, caller, now }) {
      const store = new SiteStore(tx, caller.accountId)
      const from = query.From ?? 0
      const sites = await store.list(from, Math.min(query.Count || COUNT_LIMIT, COUNT_LIMIT))
      const figures = await figuresOf(tx, sites, now)
      const shown = sites.map((site, position) => ({
        Index: from + position,
        ...siteToList(site, figures(site)),
      }))
      return {
        Total: await store.count(),
        From: from,
        Count: shown.length,
        CountLimit: COUNT_LIMIT,
        Sites: shown,
      }
    },

    async siteRead({ params }, context) {
      const site = await new SiteStore(context.tx, context.caller.accountId).get(params.site_id)
      return detail(parts, site, context)
    },

    async siteCreate({ body }, context) {
      const { tx, caller, now } = context
      const id = idFromNumber<'site'>(await tx.next('resource'))
      const subdomain = `${parts.makeLabel()}.${parts.deliveryDomain}`
      const site = makeSite(body.Site, {
        id,
        accountId: caller.accountId,
        subdomain,
        seal: parts.vault.sealFor(id),
        now,
      })
      await checkQuota(tx, caller, 'sites', now)
      if (!(await new SiteStore(tx, caller.accountId).insert(site))) throw taken(site)
      return detail(parts, site, context)
    },

    async siteUpdate({ params, body }, context) {
      const store = new SiteStore(context.tx, context.caller.accountId)
      const site = await store.get(params.site_id)
      const settings = checkSettings(
        changeSettings(site.settings, body.Site, parts.vault.sealFor(site.id)),
      )
      const changed = { ...site, settings }
      await store.update(changed)
      await new Meter(context.tx).rename(site.id, settings.name)
      return detail(parts, changed, context)
    },

    async siteDelete({ params }, context) {
      const store = new SiteStore(context.tx, context.caller.accountId)
      const site = await store.get(params.site_id)
      const last = await detail(parts, site, context)
      await store.delete(site, parts.machineNow())
      return last
    },

    async siteStatusSet({ params, body }, context) {
      const store = new SiteStore(context.tx, context.caller.accountId)
      const changed = setStatus(await store.get(params.site_id), body.Site.Status)
      await store.update(changed)
      return detail(parts, changed, context)
    },
  }
}

async function detail({ vault }: WebaccelParts, site: Site, { tx, now, asNumbers }: Context) {
  const figures = await figuresOf(tx, [site], now)
  const secrets = site.settings.onetimeSecrets.map((sealed) => vault.open(site.id, sealed))
  return { Site: siteToDetail(site, figures(site), secrets, asNumbers) }
}

/** The interface's codes for the web accelerator know no 409. */
function taken(site: Site): BadRequest {
  return new BadRequest(
    `The domain ${site.settings.domain} is used by another site.`,
    `ドメイン ${site.settings.domain} は使用済みです。`,
  )
}
