/** The zones that a path may name (interface, Notation). */
export const ZONES = ['is1a', 'is1b', 'tk1a', 'tk1v', 'is1z'] as const
export type Zone = (typeof ZONES)[number]

/** Clients know the first four; the interface shows no id for the last. */
const ZONE_IDS: Readonly<Record<Zone, string>> = {
  is1a: '31001',
  is1b: '31002',
  tk1a: '21001',
  tk1v: '29001',
  is1z: '31099',
}

export function zoneId(zone: Zone): string {
  return ZONE_IDS[zone]
}
