/** Compares secrets in a time that says nothing about them. */
import { timingSafeEqual } from 'node:crypto'

/** Most secrets are shorter, so their lengths do not show either. Hashing both would cost ten times as much. */
const PADDED_BYTES = 256

/** The time depends on the length of what the caller gave, and on nothing of what we know. */
export function isSameSecret(given: string | Uint8Array, known: string | Uint8Array): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(known)]
  const size = Math.max(PADDED_BYTES, one.length)
  const isSame = timingSafeEqual(padded(one, size), padded(other, size))
  return isSame && one.length === other.length
}

function padded(bytes: Buffer, size: number): Buffer {
  const all = Buffer.alloc(size)
  bytes.copy(all)
  return all
}
