/** The sites by their host names, with what is computed once for each change of their settings. */
import type { EdgeSite } from '../../services/webaccel/public.ts'
import { type AccessList, parseAccessList } from './site/acl.ts'

export interface ActiveSite {
  readonly site: EdgeSite
  readonly accessList: AccessList
}

export class Sites {
  readonly #byId = new Map<string, ActiveSite>()
  #byHost = new Map<string, ActiveSite>()

  find(host: string): ActiveSite | undefined {
    return this.#byHost.get(host)
  }

  get(id: string): ActiveSite | undefined {
    return this.#byId.get(id)
  }

  all(): Iterable<ActiveSite> {
    return this.#byId.values()
  }

  change(sites: readonly EdgeSite[], removedIds: readonly string[]): void {
    if (sites.length === 0 && removedIds.length === 0) return
    for (const id of removedIds) this.#byId.delete(id)
    for (const site of sites) {
      this.#byId.set(site.id, { site, accessList: parseAccessList(site.acl) })
    }
    this.#index()
  }

  replace(sites: readonly EdgeSite[]): void {
    const ids = new Set(sites.map(({ id }) => id))
    this.change(
      sites,
      [...this.#byId.keys()].filter((id) => !ids.has(id)),
    )
  }

  #index(): void {
    this.#byHost = new Map()
    for (const active of this.#byId.values()) {
      for (const host of active.site.hosts) this.#byHost.set(host, active)
    }
  }
}
