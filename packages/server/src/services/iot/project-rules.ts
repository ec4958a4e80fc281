/** What a project is, and the addresses in it. */
import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { Cidr } from '../../kernel/ipv4.ts'
import type { Zone } from '../../kernel/zone.ts'

export const IOT_CLASS = 'iotplatform'
/** Interface, Limits. */
export const PROJECT_NAME_LENGTH = { min: 1, max: 64 }
/** Where every project lives, whatever zone it is asked for in. */
export const PROJECT_ZONE: Zone = 'is1z'

export interface Project {
  /** The id of its item. */
  readonly id: ItemId
  readonly accountId: AccountId
  /** The virtual gateway in it. */
  readonly mgwId: string
}

/** What a SIM is to a project, connected now or once (docs/iot.md). */
export interface ProjectSim {
  readonly projectId: ItemId
  readonly simId: ItemId
  /** By which adapters know the device; stays the same for this SIM in this project. */
  readonly deviceId: string
  readonly isConnected: boolean
  /** The address that it has, or had and will have again; undefined before the first. */
  readonly ip: number | undefined
  readonly isIpSet: boolean
}

const POOL = 0x0a80_0000
const SLICES = 128
const SLICE_SIZE = 2 ** 16

/**
 * 10.128.0.0/9 is cut into slices of 65,536 addresses. Each project is a network of its own, so that two
 * projects in one slice do not meet. The lower half is for addresses that are assigned and remembered,
 * the upper half for devices that attach without one.
 */
export function assignedPool(projectId: ItemId): Cidr {
  const network = POOL + (Number(projectId) % SLICES) * SLICE_SIZE
  return { network, prefixLength: 17 }
}

export function givenPool(projectId: ItemId): Cidr {
  return { network: assignedPool(projectId).network + SLICE_SIZE / 2, prefixLength: 17 }
}

/** The first and the last of its addresses that a SIM may have. */
export function assignable(projectId: ItemId): { readonly first: number; readonly last: number } {
  const { network } = assignedPool(projectId)
  return { first: network + 2, last: network + SLICE_SIZE / 2 - 1 }
}
