/** Brings what the server says to the files of Traffic Server, and confirms it when it is in force. */
import { type Clock, pause } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { randomHex, systemRandom } from '../../../kernel/random.ts'
import type {
  EdgeChanges,
  EdgeProbe,
  EdgeProbeAnswer,
  EdgeServer,
  EdgeSite,
  EdgeStatus,
} from '../../../services/webaccel/public.ts'
import type { CertificateStore } from './certificate-store.ts'
import { Generations } from './generations.ts'
import { purgeTarget } from './site-data.ts'
import type { SiteFiles } from './site-files.ts'

const INTERVAL_MS = 500
/** The script checks every 100 ms; its clock is that of an event loop, which may lag a little. */
const IN_FORCE_MS = 200

export interface SiteSyncOptions {
  readonly server: EdgeServer
  readonly files: SiteFiles
  readonly certificates: CertificateStore
  /** Undefined while nothing runs. */
  readonly reload: () => Promise<void> | undefined
  readonly probe: (probe: EdgeProbe, site: EdgeSite | undefined) => Promise<EdgeProbeAnswer>
  readonly status: () => EdgeStatus
  readonly clock: Clock
  readonly log: Log
}

export class SiteSync {
  settingsAt: Date | undefined
  readonly #options: SiteSyncOptions
  readonly #sites = new Map<string, EdgeSite>()
  readonly #generations = new Generations(newEpoch())
  #since: number | undefined
  #isRunning = false
  #loop: Promise<void> = Promise.resolve()

  constructor(options: SiteSyncOptions) {
    this.#options = options
  }

  siteOf(siteId: string): EdgeSite | undefined {
    return this.#sites.get(siteId)
  }

  start(): void {
    this.#isRunning = true
    this.#loop = this.#passes()
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    await this.#loop
  }

  /** One exchange with the server. What fails is done again by the next one. */
  async pass(): Promise<boolean> {
    const { server, status, clock, log } = this.#options
    let changes: EdgeChanges
    try {
      changes = await server.changes(status(), this.#since)
    } catch {
      // The server's absence is logged by the one who calls it.
      return false
    }
    try {
      await this.#apply(changes)
      this.#since = changes.version
      this.settingsAt = clock.now()
    } catch (error) {
      log.error({ err: error }, 'changes of sites are not in force at Traffic Server')
      return false
    }
    await Promise.all(changes.probes.map((probe) => this.#answer(probe)))
    return hasNews(changes)
  }

  async #answer(given: EdgeProbe): Promise<void> {
    const { server, probe, status } = this.#options
    try {
      const answer = await probe(given, this.#sites.get(given.siteId))
      await server.answer(status().id, given.version, answer)
    } catch (error) {
      this.#options.log.error({ err: error }, 'a probe was not answered')
    }
  }

  async #passes(): Promise<void> {
    while (this.#isRunning) {
      // A purge is confirmed by the next exchange, so that one follows at once.
      const isChanged = await this.pass()
      if (!isChanged) await pause(INTERVAL_MS)
    }
  }

  async #apply(changes: EdgeChanges): Promise<void> {
    if (!hasNews(changes)) return
    const { files, certificates, reload } = this.#options
    const touched = new Set<string>()
    if (changes.isComplete) this.#restart(changes, touched)
    for (const id of changes.removedSiteIds) {
      this.#sites.delete(id)
      this.#generations.forget(id)
      touched.add(id)
    }
    for (const site of changes.sites) {
      this.#sites.set(site.id, site)
      touched.add(site.id)
    }
    for (const purge of changes.purges) {
      this.#generations.purge(purge, purgeTarget(this.#sites.get(purge.siteId), purge))
      touched.add(purge.siteId)
    }
    const gone = [...touched].filter((id) => !this.#sites.has(id))
    for (const id of gone) await files.remove(id)
    for (const id of touched) {
      const site = this.#sites.get(id)
      if (site !== undefined) await files.write(site, this.#generations)
    }
    await files.commit()
    const written = certificates.write([...this.#sites.values()], reload)
    // Before it runs it needs them; later a reload takes seconds, and purges do not wait for it.
    if (!this.#isRunning) await written
    await pause(IN_FORCE_MS)
  }

  /** All sites anew, with nothing of what is stored. */
  #restart(changes: EdgeChanges, touched: Set<string>): void {
    for (const id of this.#sites.keys()) touched.add(id)
    for (const { id } of changes.sites) touched.add(id)
    this.#sites.clear()
    this.#generations.dropAll(newEpoch())
  }
}

function hasNews({ isComplete, sites, removedSiteIds, purges }: EdgeChanges): boolean {
  return isComplete || sites.length > 0 || removedSiteIds.length > 0 || purges.length > 0
}

function newEpoch(): string {
  return randomHex(systemRandom, 12)
}
