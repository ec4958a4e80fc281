/** Connects SIMs to a project and gives them addresses there. */
import { Conflict, NotFound } from '../../kernel/errors.ts'
import { type Random, randomHex } from '../../kernel/random.ts'
import type { Tx } from '../../storage/database.ts'
import { findSim, type Networks, Sessions, type Sim } from '../sim/public.ts'
import { assignable, type Project, type ProjectSim } from './project-rules.ts'
import { ProjectSimStore } from './sim-store.ts'

const DEVICE_ID_DIGITS = 32

/** The SIMs of one project and of the account that owns it. */
export class ProjectSims {
  readonly #tx: Tx
  readonly #project: Project
  readonly #networks: Networks
  readonly #links: ProjectSimStore

  constructor(tx: Tx, project: Project, networks: Networks) {
    this.#tx = tx
    this.#project = project
    this.#networks = networks
    this.#links = new ProjectSimStore(tx, project.id)
  }

  async connect(simId: string, random: Random, now: Date): Promise<void> {
    const sim = await this.#getSim(simId)
    if (!(await this.#links.connect(sim.id, randomHex(random, DEVICE_ID_DIGITS)))) {
      throw new Conflict(
        `SIM ${simId} is connected to another project.`,
        `SIM ${simId} は別のプロジェクトに接続されています。`,
      )
    }
    await new Sessions(this.#tx, this.#networks).settle(sim, now)
  }

  /** The address that it had here before, or a new one. Again it is the same. */
  async setIp(simId: string, now: Date): Promise<ProjectSim> {
    const sim = await this.#getSim(simId)
    const link = await this.#getLink(sim)
    if (link.isIpSet) return link
    const ip = link.ip ?? (await this.#freeIp())
    if (ip === undefined || !(await this.#links.setIp(sim.id, ip))) {
      throw new Conflict(
        `Project ${this.#project.id} has no free address.`,
        `プロジェクト ${this.#project.id} に空きアドレスがありません。`,
      )
    }
    await this.#renew(sim, now)
    return { ...link, ip, isIpSet: true }
  }

  /** Answers with the address that it had. */
  async releaseIp(simId: string, now: Date): Promise<ProjectSim> {
    const sim = await this.#getSim(simId)
    const link = await this.#getLink(sim)
    if (!(await this.#links.releaseIp(sim.id))) {
      throw new NotFound(
        `SIM ${simId} has no address in project ${this.#project.id}.`,
        `SIM ${simId} にはプロジェクト ${this.#project.id} の IP がありません。`,
      )
    }
    await this.#renew(sim, now)
    return link
  }

  async disconnect(simId: string, now: Date): Promise<void> {
    const sim = await this.#getSim(simId)
    await this.#getLink(sim)
    if (!(await this.#links.disconnect(sim.id))) {
      throw new Conflict(
        `SIM ${simId} has an address in the project; release it first.`,
        `SIM ${simId} に IP が設定されています。先に解除してください。`,
      )
    }
    await new Sessions(this.#tx, this.#networks).settle(sim, now)
  }

  list(): Promise<ProjectSim[]> {
    return this.#links.list()
  }

  /** Another account's SIM does not exist. */
  async #getSim(id: string): Promise<Sim> {
    const sim = await findSim(this.#tx, { id })
    if (sim?.accountId !== this.#project.accountId) {
      throw new NotFound(`There is no SIM ${id}.`, `SIM ${id} は存在しません。`)
    }
    return sim
  }

  async #getLink({ id }: Sim): Promise<ProjectSim> {
    const link = await this.#links.find(id)
    if (link?.isConnected !== true) {
      throw new NotFound(
        `SIM ${id} is not connected to project ${this.#project.id}.`,
        `SIM ${id} はプロジェクト ${this.#project.id} に接続されていません。`,
      )
    }
    return link
  }

  /** After the highest so far; only when those are used up, one that a deleted SIM has left. */
  async #freeIp(): Promise<number | undefined> {
    const { first, last } = assignable(this.#project.id)
    const highest = await this.#links.highestIp()
    if (highest === undefined) return first
    if (highest < last) return highest + 1
    if (!(await this.#links.hasIp(first))) return first
    const gap = await this.#links.firstGap()
    return gap === undefined || gap > last ? undefined : gap
  }

  /** A session in the project goes on under the address that now holds. */
  async #renew(sim: Sim, now: Date): Promise<void> {
    const sessions = new Sessions(this.#tx, this.#networks)
    const session = await sessions.find(sim)
    if (session?.network.kind === 'project') await sessions.reconnect(sim, now)
  }
}
