/** Tokens that are looked up by their hash, so that the database does not hold what opens a door. */
import { createHash } from 'node:crypto'

export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
