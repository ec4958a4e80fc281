/** Asks elements to give sessions the bandwidth that their network has now. */
import type { Tx } from '../../storage/database.ts'
import type { Networks } from './networks.ts'
import type { NetworkKey } from './session-rules.ts'
import { SessionStore } from './session-store.ts'

export class SessionShaping {
  readonly #tx: Tx
  readonly #networks: Networks
  readonly #live: SessionStore

  constructor(tx: Tx, networks: Networks) {
    this.#tx = tx
    this.#networks = networks
    this.#live = new SessionStore(tx)
  }

  /** Networks with sessions that are limited. */
  listLimited(): Promise<string[]> {
    return this.#live.listLimitedNetworks()
  }

  async isDue(network: NetworkKey, now: Date): Promise<boolean> {
    return (await this.#list(network, now, 1)).sessions.length > 0
  }

  /** At most `most` sessions; answers with how many were changed. */
  async apply(network: NetworkKey, now: Date, most: number): Promise<number> {
    const { bitsPerSecond, sessions } = await this.#list(network, now, most)
    for (const session of sessions) {
      await this.#networks.elements?.shape(this.#tx, session, bitsPerSecond, now)
    }
    await this.#live.setBandwidth(
      sessions.map(({ simId }) => simId),
      bitsPerSecond,
    )
    return sessions.length
  }

  async #list(network: NetworkKey, now: Date, most: number) {
    const bitsPerSecond = await this.#networks.bandwidth?.(this.#tx, network, now)
    const sessions = await this.#live.listOtherwiseLimited(network, bitsPerSecond, most)
    return { bitsPerSecond, sessions }
  }
}
