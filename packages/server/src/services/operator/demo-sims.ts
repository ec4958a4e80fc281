/** The SIMs of the demo world: sixty of the account `demo`, three of `demo-partner`. */

interface DemoSim {
  readonly iccid: string
  readonly name: string
  readonly tag: string
  readonly description?: string
}

const CARDS = 8_981_040_000_000_001_000n
const PARTNER_CARDS = 8_981_040_000_000_002_000n
const MORE_CARDS = 8_981_040_000_000_003_000n

/** Where the cards begin and how many there are; documents and tests register those that are left of the first. */
export const DEMO_CARDS = { from: String(CARDS), count: 100 }
export const DEMO_MORE_CARDS = { from: String(MORE_CARDS), count: 100 }
export const DEMO_PARTNER_CARDS = { from: String(PARTNER_CARDS), count: 10 }

const DEPOTS = ['Sapporo', 'Sendai', 'Tokyo', 'Nagoya', 'Osaka']
const STATIONS = [
  ...['tokyo', 'ueno', 'akihabara', 'shinagawa', 'shibuya', 'shinjuku', 'ikebukuro', 'yokohama'],
  ...['omiya', 'nagoya', 'kyoto', 'osaka', 'kobe', 'hiroshima', 'hakata', 'sendai'],
]
const ROOMS = ['cold-store', 'greenhouse', 'roof', 'boiler-room', 'loading-bay']

function card(place: number, base = CARDS): string {
  return String(base + BigInt(place))
}

/** The first four, whose names and cards the documents use. */
export const FIRST_SIMS: readonly DemoSim[] = [
  { iccid: card(0), name: 'meter-1', tag: 'meter' },
  { iccid: card(1), name: 'meter-2', tag: 'meter' },
  { iccid: card(2), name: 'meter-3', tag: 'meter' },
  { iccid: card(3), name: 'sensor-1', tag: 'sensor' },
]

export const METERS: readonly DemoSim[] = Array.from({ length: 14 }, (_, n) => ({
  iccid: card(n, MORE_CARDS),
  name: `water-${String(n + 1).padStart(2, '0')}`,
  tag: 'meter',
  description: `Water meter, block ${1 + (n >> 1)}`,
}))

export const VANS: readonly DemoSim[] = Array.from({ length: 20 }, (_, n) => ({
  iccid: card(14 + n, MORE_CARDS),
  name: `van-${String(n + 1).padStart(2, '0')}`,
  tag: 'van',
  description: `Delivery van, ${DEPOTS[n >> 2]} depot`,
}))

export const KIOSKS: readonly DemoSim[] = STATIONS.map((station, n) => ({
  iccid: card(34 + n, MORE_CARDS),
  name: `kiosk-${station}`,
  tag: 'kiosk',
  description: 'Ticket kiosk',
}))

export const SENSORS: readonly DemoSim[] = ROOMS.map((room, n) => ({
  iccid: card(50 + n, MORE_CARDS),
  name: `sensor-${room}`,
  tag: 'sensor',
  description: 'Temperature and humidity',
}))

/** The last SIM has not been put into anything yet. */
export const SPARE: DemoSim = { iccid: card(55, MORE_CARDS), name: 'spare', tag: 'spare' }

export const FORKLIFTS: readonly DemoSim[] = [0, 1, 2].map((n) => ({
  iccid: card(n, PARTNER_CARDS),
  name: `forklift-${n + 1}`,
  tag: 'forklift',
}))

export function simEntries(account: string, sims: readonly DemoSim[]) {
  return sims.map(({ iccid, name, tag, description }) => ({
    account,
    activated: true,
    CommonServiceItem: {
      Name: name,
      Tags: [tag],
      Status: { ICCID: iccid },
      ...(description !== undefined && { Description: description }),
    },
  }))
}

export function iccidsOf(...groups: readonly (readonly DemoSim[])[]): string[] {
  return groups.flat().map(({ iccid }) => iccid)
}
