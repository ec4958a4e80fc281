/**
 * What an accounting packet of a network element does. Packets come twice, late and in any order, so each carries what
 * its session has used since it began, and a session's total is the largest that was ever reported: the sum is the
 * same whatever the order. A session that is over is remembered, so that a late packet neither counts again nor
 * begins it anew.
 */
import type { ItemId } from '../../kernel/ids.ts'
import type { ElementSession, EndCause, Session, Traffic } from './session-rules.ts'
import { newTraffic } from './session-rules.ts'

/** How often an element is asked to report, in the answer to its question. */
export const INTERIM_SECONDS = 300
/** After so many intervals of silence a session is over. */
export const LOST_INTERVALS = 3
export const LOST_MS = INTERIM_SECONDS * LOST_INTERVALS * 1000

export type AccountingKind = 'start' | 'interim' | 'stop'

export interface AccountingPacket {
  readonly kind: AccountingKind
  readonly element: ElementSession
  readonly used: Traffic
  readonly at: Date
  /** The element itself has said when it was, and its clock is right. */
  readonly isTimed: boolean
  readonly imei: string | undefined
  readonly carrier: string | undefined
  readonly ip: number | undefined
}

/** What is remembered of a session that is over. */
export interface Remembered extends Traffic {
  readonly simId: ItemId
  readonly endedAt: Date
  readonly cause: EndCause
}

/**
 * `count`: the live session has used more. `bind`: the element names the session that it was let in for. `end`: the
 * live session is over. `begin`: the session is live from now on, in the place of any other of the SIM.
 * `remember`: it was over before it was known. `addEnded`: it is over already and has used more.
 */
export type Decision = 'count' | 'bind' | 'end' | 'begin' | 'remember' | 'addEnded'

export function decide(
  packet: AccountingPacket,
  live: Session | undefined,
  ended: Remembered | undefined,
): Decision {
  const isStop = packet.kind === 'stop'
  if (live !== undefined && isOf(live, packet)) return isStop ? 'end' : 'count'
  if (ended !== undefined) return canReopen(packet, live, ended) ? 'begin' : 'addEnded'
  if (live !== undefined && isUnnamed(live, packet)) return isStop ? 'end' : 'bind'
  if (isStop || (live !== undefined && packet.at < live.since)) return 'remember'
  return 'begin'
}

/**
 * A session that was silent for too long, or that another of the SIM seemed to have followed, goes on with a packet
 * that is new: one that is repeated says nothing that was not known, and not when it was.
 */
function canReopen(
  packet: AccountingPacket,
  live: Session | undefined,
  ended: Remembered,
): boolean {
  if (packet.kind === 'stop' || packet.at <= ended.endedAt) return false
  const { uplinkBytes, downlinkBytes } = newTraffic(ended, packet.used)
  if (!packet.isTimed && uplinkBytes + downlinkBytes === 0) return false
  if (ended.cause === 'lost') return live === undefined
  return ended.cause === 'late' && (live === undefined || packet.at >= live.since)
}

function isOf({ element }: Session, { element: { name, acctSessionId } }: AccountingPacket) {
  return element?.name === name && element.acctSessionId === acctSessionId
}

/** It was let in, and its element has not said yet how it calls the session. */
function isUnnamed({ element }: Session, packet: AccountingPacket): boolean {
  return element?.name === packet.element.name && element.acctSessionId === ''
}

/** Each counter only ever increases. */
export function largest(a: Traffic, b: Traffic): Traffic {
  return {
    uplinkBytes: Math.max(a.uplinkBytes, b.uplinkBytes),
    downlinkBytes: Math.max(a.downlinkBytes, b.downlinkBytes),
  }
}

export function later(a: Date, b: Date): Date {
  return a < b ? b : a
}
