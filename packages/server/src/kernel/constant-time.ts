/** Compares secrets in a time that says nothing about them. */
import { hash, timingSafeEqual } from 'node:crypto'

/** Hashes have one length, so the time depends neither on where the two differ nor on their lengths. */
export function isSameSecret(one: string | Uint8Array, other: string | Uint8Array): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}
