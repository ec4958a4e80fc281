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
  /** A small body as a text of its bytes: HTTP/1.1 sends it with the fields in one piece. */
  text?: string
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

/** Of a body that is also kept as a text. */
const TEXT_BYTES_MAX = 16_384

/** Undefined when it is too large to be worth it. */
export function textOf(object: StoredObject): string | undefined {
  const { body } = object
  if (object.text !== undefined) return object.text
  if (!Buffer.isBuffer(body) || body.length > TEXT_BYTES_MAX) return undefined
  object.text = body.toString('latin1')
  return object.text
}

/** Of memory. A text of a field has up to two bytes for each character. */
export function memoryBytes({ body, fields, key, variant }: StoredObject): number {
  const texts = fields.reduce((sum, text) => sum + 2 * text.length + 16, 0)
  const isTwice = body.length <= TEXT_BYTES_MAX
  const inMemory = Buffer.isBuffer(body) ? body.length * (isTwice ? 2 : 1) : 0
  return inMemory + texts + 2 * (key.length + variant.length) + OVERHEAD_BYTES
}
