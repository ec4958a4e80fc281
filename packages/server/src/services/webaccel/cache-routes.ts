/** Deletion from the caches. The answer comes when it holds on all edges. */
import { AfterCommit } from '../../kernel/after-commit.ts'
import type { Handlers } from '../../kernel/contract.ts'
import { NotFound, Unavailable } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import type { webaccelContract } from './contract.ts'
import { hostOf, targetOf, toAsciiDomain } from './domain-rules.ts'
import type { WebaccelParts } from './parts.ts'
import type { SiteId } from './site-rules.ts'
import { SiteStore } from './site-store.ts'

type Own = 'cacheDelete' | 'cacheDeleteAll'

export function cacheHandlers({
  edges,
}: WebaccelParts): Pick<Handlers<typeof webaccelContract, Context>, Own> {
  const confirm = async (version: number) => {
    const late = await edges.confirmed(version)
    if (late.length > 0) throw notConfirmed(late)
  }
  return {
    async cacheDelete({ body }, { tx, caller }) {
      const store = new SiteStore(tx, caller.accountId)
      const results: { URL: string; Status: number; Result: string }[] = []
      const targets: { siteId: SiteId; target: string }[] = []
      for (const url of body.URL) {
        const host = hostOf(url)
        const site = host && (await store.findByHost(host))
        if (site) targets.push({ siteId: site.id, target: targetOf(url) })
        results.push({
          URL: url,
          ...(site ? { Status: 200, Result: 'OK' } : { Status: 404, Result: 'Not Found' }),
        })
      }
      const version = targets.length === 0 ? undefined : await edges.purge(tx, targets)
      return new AfterCommit(async () => {
        if (version !== undefined) await confirm(version)
        return { Results: results }
      })
    },

    async cacheDeleteAll({ body }, { tx, caller }) {
      const host = toAsciiDomain(body.Site.Domain, 'Site.Domain')
      const site = await new SiteStore(tx, caller.accountId).findByHost(host)
      if (site === undefined) {
        throw new NotFound(
          `There is no site of the domain ${host}.`,
          `ドメイン ${host} のサイトはありません。`,
        )
      }
      const version = await edges.purge(tx, [{ siteId: site.id, target: null }])
      return new AfterCommit(async () => {
        await confirm(version)
        return {}
      })
    },
  }
}

/** What was asked for is written, and such an edge does it as soon as it can; the caller may repeat the call. */
function notConfirmed(names: readonly string[]): Unavailable {
  const all = names.join(', ')
  return new Unavailable(
    `These edges have not confirmed the deletion yet: ${all}. They do it as soon as they are reached.`,
    `次のエッジが削除をまだ確認していません: ${all}。接続でき次第、削除されます。`,
  )
}
