/** What a site has besides its settings: access list, guard tokens, log upload. */
import type { Handlers } from '../../kernel/contract.ts'
import type { Context } from '../context.ts'
import type { webaccelContract } from './contract.ts'
import { checkAcl } from './domain-rules.ts'
import type { WebaccelParts } from './parts.ts'
import { guardTokensToWire, logUploadFromWire, logUploadToWire } from './site-extra-wire.ts'
import { renewGuardToken, type Site } from './site-rules.ts'
import { SiteStore } from './site-store.ts'

type All = Handlers<typeof webaccelContract, Context>
type Extra =
  | 'aclRead'
  | 'aclSet'
  | 'aclDelete'
  | 'guardTokenCreate'
  | 'guardTokenDelete'
  | 'nextGuardTokenCreate'
  | 'nextGuardTokenDelete'
  | 'logUploadRead'
  | 'logUploadSet'
  | 'logUploadDelete'

export function siteExtraHandlers(parts: WebaccelParts): Pick<All, Extra> {
  const { vault, makeToken, habits } = parts
  return {
    aclRead: async ({ params }, context) => ({ ACL: (await siteOf(params, context)).acl }),
    async aclSet({ params, body }, context) {
      const { acl } = await change(params, context, (site) => ({
        ...site,
        acl: checkAcl(body.ACL),
      }))
      return { ACL: acl }
    },
    async aclDelete({ params }, context) {
      await change(params, context, (site) => ({ ...site, acl: '' }))
      return {}
    },

    guardTokenCreate: async ({ params }, context) =>
      guardTokensToWire(await change(params, context, (site) => renewGuardToken(site, makeToken))),
    guardTokenDelete: async ({ params }, context) =>
      guardTokensToWire(await change(params, context, (site) => ({ ...site, guardToken: '' }))),
    nextGuardTokenCreate: async ({ params }, context) =>
      guardTokensToWire(
        await change(params, context, (site) => ({ ...site, nextGuardToken: makeToken() })),
      ),
    nextGuardTokenDelete: async ({ params }, context) =>
      guardTokensToWire(await change(params, context, (site) => ({ ...site, nextGuardToken: '' }))),

    logUploadRead: async ({ params }, context) =>
      logUploadToWire((await siteOf(params, context)).logUpload, habits),
    async logUploadSet({ params, body }, context) {
      const { logUpload } = await change(params, context, (site) => ({
        ...site,
        logUpload: logUploadFromWire(
          body.SiteLogUploadConfig,
          site.logUpload,
          vault.sealFor(site.id),
        ),
      }))
      return logUploadToWire(logUpload, habits, body.SiteLogUploadConfig.SecretAccessKey)
    },
    async logUploadDelete({ params }, context) {
      await change(params, context, (site) => ({ ...site, logUpload: undefined }))
      return {}
    },
  }
}

type Params = { readonly site_id: string }

function siteOf({ site_id }: Params, { tx, caller }: Context): Promise<Site> {
  return new SiteStore(tx, caller.accountId).get(site_id)
}

async function change(params: Params, context: Context, rule: (site: Site) => Site): Promise<Site> {
  const changed = rule(await siteOf(params, context))
  await new SiteStore(context.tx, context.caller.accountId).update(changed)
  return changed
}
