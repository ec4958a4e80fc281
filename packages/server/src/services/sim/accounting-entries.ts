/** What waits to be applied together: packets of network elements, and reports of devices. */
import type { AccountingPacket } from './accounting-rules.ts'
import type { ElementKey } from './elements.ts'
import type { Traffic } from './session-rules.ts'

/** By what a packet names its SIM; `number` is an IMSI or a telephone number. */
export interface SubscriberKey {
  readonly imsi: string | undefined
  readonly number: string | undefined
}

export interface PacketEntry {
  readonly type: 'packet'
  readonly element: ElementKey
  readonly subscriber: SubscriberKey
  readonly acctSessionId: string
  readonly mccMnc: string | undefined
  readonly packet: Omit<AccountingPacket, 'element' | 'carrier'>
  readonly now: Date
}

/** Accounting-On or Accounting-Off: what the element had begun until then is over. */
export interface RestartEntry {
  readonly type: 'restart'
  readonly element: ElementKey
  readonly at: Date
  /** The same for a packet that comes twice; undefined where it does not say when it was. */
  readonly mark: string | undefined
  readonly now: Date
}

/** A device has sent and received so many bytes more. */
export interface AddedEntry {
  readonly type: 'added'
  readonly iccid: string
  readonly added: Traffic
  readonly now: Date
}

/** What a device's session has used since it began. */
export interface ReportedEntry {
  readonly type: 'reported'
  readonly iccid: string
  readonly sessionId: number
  readonly used: Traffic
  readonly now: Date
}

export type Entry = PacketEntry | RestartEntry | AddedEntry | ReportedEntry
