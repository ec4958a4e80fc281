/** The zones that a path may name (interface, Notation). */
export const ZONES = ['is1a', 'is1b', 'tk1a', 'tk1v', 'is1z'] as const
export type Zone = (typeof ZONES)[number]
