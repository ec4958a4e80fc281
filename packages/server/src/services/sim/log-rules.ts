import type { ItemId } from '../../kernel/ids.ts'
import type { Device, Reason } from './session-rules.ts'

export const LOG_COUNT_DEFAULT = 100
/** Of one card, the newest are kept. */
export const REFUSALS_KEPT = 20

/** What an operator sees of the devices of an account. */
export const DEVICE_EVENTS = ['attached', 'detached', 'refused'] as const

export interface DeviceEvent {
  /** Sessions and refusals are numbered together. */
  readonly id: number
  readonly at: Date
  readonly event: (typeof DEVICE_EVENTS)[number]
  readonly simId: ItemId
  readonly name: string
  readonly iccid: string
  readonly reason: string | undefined
}

export interface LogEntry {
  readonly id: number
  readonly simId: ItemId
  readonly networkId: string
  readonly event: 'Created' | 'Deleted'
  /** Only when a session begins. */
  readonly imei: string | undefined
  readonly imsi: string
  readonly at: Date
}

export interface Refused extends Device {
  readonly iccid: string
  readonly reason: Reason
  readonly at: Date
}
