/** The zones that a path may name. The interface has the first five (Notation); a profile may serve all. */
export const ZONES = ['is1a', 'is1b', 'tk1a', 'tk1v', 'is1z', 'is1c', 'tk1b'] as const
export type Zone = (typeof ZONES)[number]

export const INTERFACE_ZONES: readonly Zone[] = ZONES.slice(0, 5)

/** Clients know all but is1z, for which the interface shows no id. */
const ZONE_IDS: Readonly<Record<Zone, string>> = {
  is1a: '31001',
  is1b: '31002',
  is1c: '31003',
  tk1a: '21001',
  tk1b: '21002',
  tk1v: '29001',
  is1z: '31099',
}

export function zoneId(zone: Zone): string {
  return ZONE_IDS[zone]
}
