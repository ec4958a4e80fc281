import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { Static } from '../../kernel/type.ts'
import type { Adapter, AdapterDraft, AdapterType } from './adapter-rules.ts'
import type { iotContract } from './contract.ts'
import { PROJECT_ZONE, type Project, type ProjectSim } from './project-rules.ts'

type WireDraft = Static<(typeof iotContract)['adapterCreate']['body']>['IoTPlatform']

/** Where adapters answer, below the origin. */
export const ADAPTER_PATHS = {
  websocket: '/iot/v1/websocket/',
  'incoming-webhook': '/iot/v1/incoming/',
} as const

export function statusToWire({ mgwId }: Project, adapterIds: readonly string[]) {
  return { mgw_id: mgwId, zone: PROJECT_ZONE, Services: [...adapterIds] }
}

export function placeToWire({ mgwId }: Project) {
  return { mgw_id: mgwId, zone: PROJECT_ZONE }
}

export function simToWire({ simId, ip, isIpSet, deviceId }: ProjectSim) {
  const address = isIpSet && ip !== undefined ? formatIpv4(ip) : null
  return { sim_id: simId, ip_address: address, device_id: deviceId }
}

export function draftFromWire({ type, name, settings }: WireDraft): AdapterDraft {
  // Of a list, which is empty, every member is missing.
  const own = (type === 'websocket' ? undefined : Object(settings)[type]) ?? {}
  return {
    type,
    name: name ?? '',
    secret: own.secret ?? undefined,
    url: type === 'outgoing-webhook' ? (own.url ?? undefined) : undefined,
  }
}

export function adapterToWire(adapter: Adapter, { mgwId }: Project, origin: string) {
  const { id, name, type, token } = adapter
  return {
    id,
    name,
    type,
    vmgw: mgwId,
    token,
    url: addressOf(adapter, origin),
    settings: {
      'incoming-webhook': settingsOf(adapter, 'incoming-webhook'),
      'outgoing-webhook': settingsOf(adapter, 'outgoing-webhook'),
      websocket: settingsOf(adapter, 'websocket'),
    },
  }
}

/** A websocket is reached the way that the caller came: by TLS, or not on the plain listener. */
function addressOf({ type, token, url }: Adapter, origin: string): string {
  if (type === 'outgoing-webhook') return url ?? ''
  const base = type === 'websocket' ? origin.replace(/^http/, 'ws') : origin
  return `${base}${ADAPTER_PATHS[type]}${token}`
}

function settingsOf({ type, secret }: Adapter, member: AdapterType) {
  if (type !== member) return []
  return type === 'websocket' ? {} : { secret: secret ?? null }
}
