/** The traffic of a gateway's month against its quota. Months are those of Japan. */
import { BadRequest } from '../../kernel/errors.ts'

export const BYTES_PER_MB = 1_000_000
/** So that a quota in bytes stays an exact number. */
export const QUOTA_MB_MAX = 1_000_000_000
export const LIMIT_KBPS_MAX = 1_000_000_000
const BITS_PER_KBIT = 1000
export const CHAT_URL_LENGTH_MAX = 2048

export interface TrafficControl {
  readonly quotaMb: number
  readonly autoShaping: boolean
  /** `null` and 0 mean none; kept as sent. */
  readonly limitKbps: number | null
  readonly emailEnabled: boolean
  readonly chatEnabled: boolean
  readonly chatUrl: string
}

export interface Traffic {
  readonly uplinkBytes: number
  readonly downlinkBytes: number
}

export function isQuotaPassed({ quotaMb }: TrafficControl, traffic: Traffic): boolean {
  return traffic.uplinkBytes + traffic.downlinkBytes > quotaMb * BYTES_PER_MB
}

/**
 * A function of the month's traffic and the config, so that it ends with the month and with a higher
 * quota by itself (docs/gateways.md).
 */
export function isShaping(control: TrafficControl | undefined, traffic: Traffic): boolean {
  return control?.autoShaping === true && isQuotaPassed(control, traffic)
}

/** What each device gets while its gateway is shaped; undefined for no limit. */
export function shapedBitsPerSecond(
  control: TrafficControl | undefined,
  traffic: Traffic,
): number | undefined {
  return control !== undefined && limitsBandwidth(control) && isShaping(control, traffic)
    ? (control.limitKbps ?? 0) * BITS_PER_KBIT
    : undefined
}

/** Whether passing the quota changes what devices get. */
export function limitsBandwidth({ autoShaping, limitKbps }: TrafficControl): boolean {
  return autoShaping && (limitKbps ?? 0) > 0
}

/** `urlPath` names the member in the words of the wire. */
export function checkTrafficControl(control: TrafficControl, urlPath: string): TrafficControl {
  const url = URL.parse(control.chatUrl)
  if (!control.chatEnabled || (url?.protocol === 'https:' && url.hostname !== '')) return control
  throw new BadRequest(
    `${urlPath} must be an https address while the notification is enabled.`,
    `${urlPath} は通知が有効な間、https のアドレスでなければなりません。`,
  )
}
