/** Why a device was refused, and what helps. */
import { simText } from './texts.ts'

const REMEDIES = [
  'not_activated',
  'imei_locked',
  'carrier_not_allowed',
  'no_network',
  'gateway_down',
  'not_registered',
] as const

/** As a sentence; a reason that this console does not know stays as it is. */
export function reasonFor(reason: string): string {
  const known = REMEDIES.find((one) => one === reason)
  return known === undefined ? reason : simText(`why_${known}`)
}

export function remedyFor(reason: string): string {
  return simText(REMEDIES.find((one) => one === reason) ?? 'otherReason')
}
