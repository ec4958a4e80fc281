/** What a RADIUS packet says, in our words. Facts of the protocol: RFC 2865, 2866, 2869 and 3GPP TS 29.061. */
import { BadRequest } from '../../kernel/errors.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/units.ts'

/** A RADIUS packet has at most 4,096 bytes; as JSON it takes a few times that. */
export const PACKET_BYTES_MAX = 64 * 1024
/** How long an attribute may be. */
export const TEXT_LENGTH_MAX = 253
/** The time of an element counts when it is so near to ours. */
export const CLOCK_SKEW_MAX_MS = 5 * MINUTE_MS
/** A packet that waited for longer is as old as this. */
export const DELAY_MAX_MS = 31 * DAY_MS
/** Bytes of one session; more is a mistake. */
export const SESSION_BYTES_MAX = 2 ** 49 - 1
/** Routes in one answer: with all else it has to fit into one packet. */
export const ROUTES_MAX = 64

const GIGAWORD = 2 ** 32

/** RFC 2866, 5.1; the numbers of those that the dictionary of a server gives no name. */
const STATUS_TYPES: Readonly<Record<string, StatusType>> = {
  ...{ Start: 'start', 1: 'start', Stop: 'stop', 2: 'stop', 'Interim-Update': 'interim' },
  ...{ Alive: 'interim', 3: 'interim', 'Accounting-On': 'on', 7: 'on' },
  ...{ 'Accounting-Off': 'off', 8: 'off' },
}
export type StatusType = 'start' | 'stop' | 'interim' | 'on' | 'off'

/** Undefined for types that are not about a session, such as those of tunnels. */
export function statusType(given: string | undefined): StatusType | undefined {
  return given === undefined ? undefined : STATUS_TYPES[given]
}

/**
 * The element's own time where its clock is about right, else when the packet came, less how long the element has
 * tried to send it.
 */
export function packetTime(
  eventSeconds: number | undefined,
  delaySeconds: number | undefined,
  now: Date,
): { readonly at: Date; readonly isTimed: boolean } {
  const event = (eventSeconds ?? 0) * 1000
  if (eventSeconds !== undefined && Math.abs(event - now.getTime()) <= CLOCK_SKEW_MAX_MS) {
    return { at: new Date(event), isTimed: true }
  }
  const delay = Math.min((delaySeconds ?? 0) * 1000, DELAY_MAX_MS)
  return { at: new Date(now.getTime() - delay), isTimed: false }
}

/** Input is what came in from the device: its uplink. Octets begin at 0 again with each gigaword. */
export function usedBytes(octets: {
  readonly input: number | undefined
  readonly inputGigawords: number | undefined
  readonly output: number | undefined
  readonly outputGigawords: number | undefined
}) {
  const total = (low = 0, high = 0) => Math.min(high * GIGAWORD + low, SESSION_BYTES_MAX)
  return {
    uplinkBytes: total(octets.input, octets.inputGigawords),
    downlinkBytes: total(octets.output, octets.outputGigawords),
  }
}

/** By what the packet names the SIM. The name of a user and passwords are never looked at. */
export function subscriberKey(imsi: string | undefined, callingStation: string | undefined) {
  if (imsi !== undefined) {
    if (!/^[0-9]{6,15}$/.test(imsi)) {
      throw new BadRequest(
        '3GPP-IMSI must have 6 to 15 digits.',
        '3GPP-IMSI は 6 桁から 15 桁の数字です。',
      )
    }
    return { imsi, number: undefined }
  }
  const number = callingStation?.replace(/^\+/, '')
  return { imsi, number: number !== undefined && /^[0-9]{6,15}$/.test(number) ? number : undefined }
}

/** What has another form says nothing. */
export function imeiOf(imeisv: string | undefined): string | undefined {
  return imeisv !== undefined && /^[0-9]{14,16}$/.test(imeisv) ? imeisv : undefined
}

export function mccMncOf(given: string | undefined): string | undefined {
  return given !== undefined && /^[0-9]{5,6}$/.test(given) ? given : undefined
}
