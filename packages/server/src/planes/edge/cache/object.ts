/** A stored response. It is not changed: a 304 or another body is another object. */

import type { Head } from '../delivery/head.ts'
import type { Fields } from '../policy/fields.ts'
import type { Freshness } from '../policy/freshness.ts'

export interface StoredObject {
  readonly siteId: string
  /** Of the URL: site, path and query. */
  readonly key: string
  readonly status: number
  readonly fields: Fields
  readonly freshness: Freshness
  /** Names of the request's fields that select it, and what they said. */
  readonly vary: readonly string[]
  readonly variant: string
  readonly storedMs: number
  readonly body: Buffer | StoredFile
  /** The fields of the last answer, which are the same for all answers of one second. */
  prepared?: Prepared
}

export interface Prepared {
  /** Settings that they were made for: others have others. */
  readonly site: object
  readonly age: number
  readonly head: Head
}

/** A body on the disk. */
export interface StoredFile {
  readonly path: string
  readonly length: number
}

export function bodyLength({ body }: StoredObject): number {
  return body.length
}

/** What an object takes besides its body: Node's objects, and the maps that it is in. */
const OVERHEAD_BYTES = 1024

/** Of memory. A text has up to two bytes for each character. */
export function memoryBytes({ body, fields, key, variant }: StoredObject): number {
  const texts = fields.reduce((sum, text) => sum + 2 * text.length + 16, 0)
  const inMemory = Buffer.isBuffer(body) ? body.length : 0
  return inMemory + texts + 2 * (key.length + variant.length) + OVERHEAD_BYTES
}
