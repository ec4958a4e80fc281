import type { AdapterCreateIoTPlatform as Adapter } from '@kumoi/client'
import { iotText } from './texts.ts'

export const ADAPTER_TYPES = ['websocket', 'incoming-webhook', 'outgoing-webhook'] as const
export type AdapterType = (typeof ADAPTER_TYPES)[number]

const NAMES = {
  websocket: 'websocket',
  'incoming-webhook': 'incoming',
  'outgoing-webhook': 'outgoing',
} as const

export const typeName = (type: AdapterType) => iotText(NAMES[type])
export const typeHint = (type: AdapterType) => iotText(`${NAMES[type]}Hint`)

/** The secret that calls of an incoming webhook are signed with, if it has one. */
export function secretOf({ settings }: Adapter): string | undefined {
  const { secret } = Object(settings['incoming-webhook'])
  return typeof secret === 'string' ? secret : undefined
}
