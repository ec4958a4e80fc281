/** What helps a device that was not let in. */
import { simText } from './texts.ts'

const REMEDIES = [
  'not_activated',
  'imei_locked',
  'carrier_not_allowed',
  'no_network',
  'gateway_down',
  'not_registered',
] as const

export function remedyFor(reason: string): string {
  return simText(REMEDIES.find((one) => one === reason) ?? 'otherReason')
}
