/** A device's session in a network, and who is let in. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Sim } from './rules.ts'

export interface NetworkKey {
  readonly kind: 'gateway' | 'project'
  readonly id: string
}

/** The element of a real network that holds a session. */
export interface ElementSession {
  readonly name: string
  /** How the element calls the session; empty until it has said so. */
  readonly acctSessionId: string
}

/** The device that the card is in, as the network sees it. */
export interface Device {
  readonly imei: string
  readonly carrier: string
  /** Undefined for devices that attach without one: the operator's and the simulated ones. */
  readonly element?: ElementSession | undefined
}

export interface Traffic {
  readonly uplinkBytes: number
  readonly downlinkBytes: number
}

export interface Session extends Device, Traffic {
  /** The number of its Created row: two sessions of one SIM are told apart by it. */
  readonly id: number
  readonly simId: ItemId
  readonly iccid: string
  readonly imsi: string
  readonly network: NetworkKey
  readonly ip: number
  /** The address is the SIM's own, not one that the network gave. */
  readonly isIpFixed: boolean
  readonly since: Date
  /** When bytes were last counted. */
  readonly countedAt: Date
  /** When its element was last heard of it; undefined without one. */
  readonly seenAt: Date | undefined
  /** The bandwidth that its element was last given for it; undefined for no limit. */
  readonly bitsPerSecond?: number | undefined
}

/** In the order in which they are looked at (docs/adr/0020-session-engine.md). */
export const REASONS = [
  'not_registered',
  'not_activated',
  'imei_locked',
  'carrier_not_allowed',
  'no_network',
  'gateway_down',
] as const
export type Reason = (typeof REASONS)[number]

/**
 * Why a session ended. Those of the first row come from the element itself, or from its silence; the others are
 * ours, or a reason why the device would be refused now.
 */
export const ELEMENT_CAUSES = ['stop', 'element_restart', 'lost', 'late'] as const
export type EndCause =
  | (typeof ELEMENT_CAUSES)[number]
  | 'detach'
  | 'reconnect'
  | 'attached_again'
  | 'address_changed'
  | 'sim_deleted'
  | 'element_deleted'
  | Reason

/** Why this device is not let in; undefined when it is. */
export function refusalReason(
  sim: Sim,
  device: Device,
  network: { readonly isUp: boolean } | undefined,
): Reason | undefined {
  if (!sim.activated) return 'not_activated'
  if (sim.imei !== undefined && !isSameImei(sim.imei, device)) return 'imei_locked'
  if (sim.carriers !== undefined && !sim.carriers.includes(device.carrier)) {
    return 'carrier_not_allowed'
  }
  if (network === undefined) return 'no_network'
  return network.isUp ? undefined : 'gateway_down'
}

/** Of an IMEI the rest is a check digit, or the version of the software. */
export const IMEI_COMPARED_DIGITS = 14

/** Elements send the version of the software in the place of the check digit. */
function isSameImei(locked: string, { imei, element }: Device): boolean {
  const compared = (one: string) => one.slice(0, IMEI_COMPARED_DIGITS)
  return locked === imei || (element !== undefined && compared(locked) === compared(imei))
}

/** A session that is allowed but no longer as it would begin now: elsewhere, or with another address. */
export function isOutdated(session: Session, sim: Sim, network: NetworkKey): boolean {
  if (session.network.kind !== network.kind || session.network.id !== network.id) return true
  return fixedIp(sim, network) !== (session.isIpFixed ? session.ip : undefined)
}

/** The element asks again for a session that it was given and has not begun. */
export function isRepeated(session: Session, { imei, carrier, element }: Device): boolean {
  const given = session.element
  return (
    given !== undefined &&
    given.name === element?.name &&
    (given.acctSessionId === '' || given.acctSessionId === element.acctSessionId) &&
    session.imei === imei &&
    session.carrier === carrier
  )
}

/** The address that the SIM brings along; only a gateway knows it. */
export function fixedIp(sim: Sim, network: NetworkKey): number | undefined {
  return network.kind === 'gateway' ? sim.ip : undefined
}

/**
 * What a report adds. Reports carry what the session has used since it began, so one that comes twice
 * or late says nothing new, and each counter only ever grows.
 */
export function newTraffic(session: Traffic, reported: Traffic): Traffic {
  return {
    uplinkBytes: Math.max(0, reported.uplinkBytes - session.uplinkBytes),
    downlinkBytes: Math.max(0, reported.downlinkBytes - session.downlinkBytes),
  }
}

export function addTraffic(a: Traffic, b: Traffic): Traffic {
  return {
    uplinkBytes: a.uplinkBytes + b.uplinkBytes,
    downlinkBytes: a.downlinkBytes + b.downlinkBytes,
  }
}

export const NO_TRAFFIC: Traffic = { uplinkBytes: 0, downlinkBytes: 0 }
