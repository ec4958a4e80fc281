/** Where the zones are: data that clients read to know what they may name. */
import { type Zone, zoneId } from '../../kernel/zone.ts'

export interface Region {
  readonly id: string
  readonly name: string
  /** Addresses of RFC 5737: they resolve nothing, and belong to nobody. */
  readonly nameServers: readonly string[]
}

export interface Place {
  readonly id: string
  readonly name: Zone
  readonly description: string
  readonly region: Region
  readonly isSandbox: boolean
}

const ISHIKARI: Region = { id: '310', name: 'Ishikari', nameServers: ['192.0.2.3', '192.0.2.4'] }
const TOKYO: Region = { id: '210', name: 'Tokyo', nameServers: ['198.51.100.3', '198.51.100.4'] }
const SANDBOX: Region = { id: '290', name: 'Sandbox', nameServers: ['203.0.113.3', '203.0.113.4'] }

export const REGIONS: readonly Region[] = [ISHIKARI, TOKYO, SANDBOX]

const WHERE: Readonly<Record<Zone, readonly [description: string, region: Region]>> = {
  is1a: ['Ishikari 1', ISHIKARI],
  is1b: ['Ishikari 2', ISHIKARI],
  is1c: ['Ishikari 3', ISHIKARI],
  tk1a: ['Tokyo 1', TOKYO],
  tk1b: ['Tokyo 2', TOKYO],
  tk1v: ['Sandbox', SANDBOX],
  is1z: ['IoT platform', ISHIKARI],
}

export function placesOf(zones: readonly Zone[]): Place[] {
  return zones.map((name) => {
    const [description, region] = WHERE[name]
    return { id: zoneId(name), name, description, region, isSandbox: region === SANDBOX }
  })
}
