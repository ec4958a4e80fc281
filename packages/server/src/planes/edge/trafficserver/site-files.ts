/** The sites as files of the script, one for each host; `version` changes after them and has all read again. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { randomHex, systemRandom } from '../../../kernel/random.ts'
import type { EdgeSite } from '../../../services/webaccel/public.ts'
import type { Generations } from './generations.ts'
import { SCRIPT } from './script.ts'
import { isHostName, type SharedData, siteSource } from './site-data.ts'

const SECRET_DIGITS = 48

export class SiteFiles {
  /** Marks what this process asks the script. */
  readonly probeSecret = randomHex(systemRandom, SECRET_DIGITS)
  readonly #folder: string
  readonly #shared: SharedData
  readonly #hosts = new Map<string, readonly string[]>()
  #writes = 0

  private constructor(folder: string, shared: SharedData) {
    this.#folder = folder
    this.#shared = shared
  }

  static async create(folder: string, shared: SharedData): Promise<SiteFiles> {
    await rm(folder, { recursive: true, force: true })
    await mkdir(join(folder, 'sites'), { recursive: true, mode: 0o700 })
    await writeFile(join(folder, 'kumoi.lua'), SCRIPT, { mode: 0o600 })
    const files = new SiteFiles(folder, shared)
    await writeFile(join(folder, 'probe'), files.probeSecret, { mode: 0o600 })
    return files
  }

  async write(site: EdgeSite, generations: Generations): Promise<void> {
    const hosts = site.hosts.filter(isHostName)
    const previous = this.#hosts.get(site.id) ?? []
    const source = siteSource(site, generations.of(site.id), this.#shared)
    for (const host of hosts) await this.#replace(join('sites', `${host}.lua`), source)
    await this.#removeHosts(previous.filter((host) => !hosts.includes(host)))
    this.#hosts.set(site.id, hosts)
  }

  async remove(siteId: string): Promise<void> {
    await this.#removeHosts(this.#hosts.get(siteId) ?? [])
    this.#hosts.delete(siteId)
  }

  async #removeHosts(hosts: readonly string[]): Promise<void> {
    for (const host of hosts) await rm(join(this.#folder, 'sites', `${host}.lua`), { force: true })
  }

  async commit(): Promise<void> {
    this.#writes += 1
    await this.#replace('version', String(this.#writes))
  }

  /** Whole or not at all; after a crash of the machine all is written anew. */
  async #replace(name: string, text: string): Promise<void> {
    const file = join(this.#folder, name)
    await writeFile(`${file}.tmp`, text, { mode: 0o600 })
    await rename(`${file}.tmp`, file)
  }
}
