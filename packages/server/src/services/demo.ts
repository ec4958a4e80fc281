/**
 * The demo world as several slices see it. Its world file says what there is; its past, which no world file can
 * say, is added by the slices. All of it is a function of the time at which it is created.
 */
import { japanMonthStart } from '../kernel/datetime.ts'
import type { Tx } from '../storage/database.ts'

/** Adds what has happened in a slice since the demo world began; called after the world was applied. */
export type DemoPast = (tx: Tx, now: Date) => Promise<void>

/** What is referred to by more than one slice. */
export const DEMO = {
  smsId: '900000099201',
  siteIds: ['900000099101', '900000099102'],
  /** All cards of the world are in simulated devices. */
  fleets: [
    ['8981040000000001000', '8981040000000001099'],
    ['8981040000000002000', '8981040000000002009'],
  ],
  fleetSeed: 'demo',
  /** In the gateway of delivery vans, which is near its quota. */
  vanIccid: '8981040000000001054',
  /** In the gateway of kiosks. */
  kioskIccid: '8981040000000001074',
  /** Its lock is to the IMEI of a device that it is not in. */
  lockedIccid: '8981040000000001060',
  lockedImei: '353918000000017',
  /** Its settings leave out the carrier that its device uses. */
  barredIccid: '8981040000000001077',
  /** In the project. */
  sensorIccid: '8981040000000001003',
} as const

/** Months that have their bill, before the one that runs. */
export const DEMO_MONTHS = 3

/** The first moment of the month so many months before, in Japan. */
export function monthsBefore(now: Date, count: number): Date {
  let month = japanMonthStart(now)
  for (let n = 0; n < count; n += 1) month = japanMonthStart(new Date(month.getTime() - 1))
  return month
}

/** When the demo world's things were created. */
export function demoSince(now: Date): Date {
  return monthsBefore(now, DEMO_MONTHS)
}
