/**
 * Purges by generation: it is part of the key of an object, so what is stored or being filled under the previous one is
 * never found again. A purge of one address changes the key of that address alone.
 */
import type { EdgePurge } from '../../../services/webaccel/public.ts'

/** Of a site; one more, and its whole cache is left behind instead. */
const PURGED_TARGETS_MAX = 1000

export interface Generation {
  readonly generation: string
  /** Targets that were purged since, each with the version of its last purge. */
  readonly purged: Readonly<Record<string, string>>
}

interface SiteState {
  readonly version: number
  readonly purged: ReadonlyMap<string, number>
}

const NOTHING: SiteState = { version: 0, purged: new Map() }

export class Generations {
  #epoch: string
  #sites = new Map<string, SiteState>()

  /** Different for each start: a cache on the disk may miss purges. */
  constructor(epoch: string) {
    this.#epoch = epoch
  }

  /** Nothing that is stored is found again. */
  dropAll(epoch: string): void {
    this.#epoch = epoch
    this.#sites.clear()
  }

  /** The target is the one of the key. */
  purge({ siteId, version }: EdgePurge, target: string | null): void {
    const { purged, ...site } = this.#sites.get(siteId) ?? NOTHING
    if (target === null || (purged.size >= PURGED_TARGETS_MAX && !purged.has(target))) {
      this.#sites.set(siteId, { version, purged: new Map() })
    } else {
      this.#sites.set(siteId, { ...site, purged: new Map([...purged, [target, version]]) })
    }
  }

  of(siteId: string): Generation {
    const { version, purged } = this.#sites.get(siteId) ?? NOTHING
    const targets = [...purged].map(([target, at]) => [target, String(at)])
    return { generation: `${this.#epoch}.${version}`, purged: Object.fromEntries(targets) }
  }

  forget(siteId: string): void {
    this.#sites.delete(siteId)
  }
}
