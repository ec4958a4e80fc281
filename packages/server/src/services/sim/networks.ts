/**
 * The port through which the session engine asks what network a SIM is in. Gateways and projects
 * provide it; the sim slice knows neither of them.
 */

import type { ItemId } from '../../kernel/ids.ts'
import type { Cidr } from '../../kernel/ipv4.ts'
import type { Tx } from '../../storage/database.ts'
import type { ElementRequests } from './element-requests.ts'
import type { Sim } from './rules.ts'
import type { NetworkKey, Traffic } from './session-rules.ts'

export interface Network extends NetworkKey {
  /** A gateway: available and up. */
  readonly isUp: boolean
  /**
   * Where an address comes from when the SIM has no fixed one. The first two and the last of a pool
   * are not given out; of a /31 or /32 all are, so a /32 gives one certain address.
   */
  readonly pool: Cidr
  /** The network's own address, which no SIM may have. */
  readonly ownAddress?: number | undefined
}

/** What a SIM has sent and received since the last report. */
export interface Counted extends Traffic {
  readonly at: Date
}

/** One report of one of several SIMs. */
export interface CountedSim {
  readonly network: NetworkKey
  readonly simId: ItemId
  readonly counted: Counted
}

/** What a device is given with its address. */
export interface DeviceSettings {
  readonly dns: readonly string[]
  /** Networks behind the device. */
  readonly routes: readonly string[]
}

export const NO_DEVICE_SETTINGS: DeviceSettings = { dns: [], routes: [] }

export interface Networks {
  /** Who asks elements of a real network to end or to shape sessions; nobody where it is not there. */
  readonly elements?: ElementRequests | undefined
  /** The network that this SIM attaches to now; undefined when it is in none. */
  of(tx: Tx, sim: Sim): Promise<Network | undefined>
  /**
   * Bytes of a SIM were counted for this network, in the transaction that counts them (quota, monitors): one or
   * more reports of the same month, the oldest first.
   */
  counted(tx: Tx, network: NetworkKey, simId: ItemId, counted: readonly Counted[]): Promise<void>
  /** What the network gives this SIM's device, as it holds now. */
  deviceSettings?(tx: Tx, sim: Sim, network: NetworkKey): Promise<DeviceSettings | undefined>
  /** The same as `counted` for reports of many SIMs at once, in the order in which they came, of any months. */
  /** What each device there gets while its bandwidth is limited, in bits per second. */
  bandwidth?(tx: Tx, network: NetworkKey, at: Date): Promise<number | undefined>
  /** The same for reports of many SIMs at once, in the order in which they came, of any months. */
  countedTogether?(tx: Tx, counted: readonly CountedSim[]): Promise<void>
  /**
   * The SIM has left this gateway (removed, or the item deleted): its routes there go too. Not called
   * when the gateway itself is deleted, which takes all its routes with it.
   */
  left(tx: Tx, simId: ItemId, gatewayId: string): Promise<void>
  /** The SIM's item is being deleted: what links it to a project goes too. */
  deleted?(tx: Tx, sim: Sim): Promise<void>
}

/** Several as one. The first that has the SIM wins: a gateway goes before a project. */
export function joinNetworks(all: readonly Networks[], elements?: ElementRequests): Networks {
  return {
    elements,
    async of(tx, sim) {
      for (const networks of all) {
        const network = await networks.of(tx, sim)
        if (network !== undefined) return network
      }
      return undefined
    },
    async counted(tx, network, simId, counted) {
      for (const networks of all) await networks.counted(tx, network, simId, counted)
    },
    async deviceSettings(tx, sim, network) {
      for (const networks of all) {
        const settings = await networks.deviceSettings?.(tx, sim, network)
        if (settings !== undefined) return settings
      }
      return undefined
    },
    async bandwidth(tx, network, at) {
      for (const networks of all) {
        const bitsPerSecond = await networks.bandwidth?.(tx, network, at)
        if (bitsPerSecond !== undefined) return bitsPerSecond
      }
      return undefined
    },
    async countedTogether(tx, counted) {
      for (const networks of all) await countTogether(tx, networks, counted)
    },
    async left(tx, simId, gatewayId) {
      for (const networks of all) await networks.left(tx, simId, gatewayId)
    },
    async deleted(tx, sim) {
      for (const networks of all) await networks.deleted?.(tx, sim)
    },
  }
}

/** One by one where a network knows no better. */
export async function countTogether(
  tx: Tx,
  networks: Networks,
  counted: readonly CountedSim[],
): Promise<void> {
  if (networks.countedTogether !== undefined) return networks.countedTogether(tx, counted)
  for (const { network, simId, counted: one } of counted) {
    await networks.counted(tx, network, simId, [one])
  }
}
