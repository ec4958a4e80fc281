/** Compares secrets in a time that says nothing about them but whether they are of one length. */
import { timingSafeEqual } from 'node:crypto'

export function isSameSecret(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
