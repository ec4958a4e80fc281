/** Compares secrets in a time that says nothing about them. */
import { timingSafeEqual } from 'node:crypto'

/** Most secrets are shorter, so their lengths do not show either. Hashing both would cost ten times as much. */
const PADDED_BYTES = 256

/** The time depends on the length of what the caller gave, and on nothing of what we know. */
export function isSameSecret(given: string | Uint8Array, known: string | Uint8Array): boolean {
  const size = Math.max(PADDED_BYTES, Buffer.byteLength(given))
  const isSame = timingSafeEqual(padded(given, size), padded(known, size))
  return isSame && Buffer.byteLength(given) === Buffer.byteLength(known)
}

function padded(secret: string | Uint8Array, size: number): Buffer {
  const all = Buffer.alloc(size)
  if (typeof secret === 'string') all.write(secret)
  else all.set(secret.subarray(0, size))
  return all
}
