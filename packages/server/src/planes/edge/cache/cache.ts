/** What is stored, for the delivery. */

import type { RequestFields } from '../policy/fields.ts'
import { variantOf } from '../policy/vary.ts'
import { MemoryIndex } from './memory.ts'
import type { StoredObject } from './object.ts'

/** A larger one would drive out too many others. */
const SHARE_OF_MEMORY = 8

export class ObjectCache {
  readonly #memory: MemoryIndex
  /** Of a body that is kept in memory. */
  readonly objectBytesMax: number

  constructor(memoryBytes: number) {
    this.objectBytesMax = Math.floor(memoryBytes / SHARE_OF_MEMORY)
    this.#memory = new MemoryIndex(memoryBytes, () => undefined)
  }

  get bytes(): number {
    return this.#memory.bytes
  }

  get objects(): number {
    return this.#memory.objects
  }

  /** All of a URL, the newest one first; using them makes them the last to go. */
  use(key: string): readonly StoredObject[] {
    return this.#memory.use(key)
  }

  peek(key: string): readonly StoredObject[] {
    return this.#memory.peek(key)
  }

  add(object: StoredObject): void {
    this.#memory.add(object)
  }

  /** After a validation; nothing happens when the object is gone meanwhile. */
  replace(before: StoredObject, after: StoredObject): void {
    if (this.#memory.peek(before.key).includes(before)) this.#memory.add(after)
  }

  remove(object: StoredObject): void {
    this.#memory.remove(object.key, object)
  }

  removeUrl(key: string): void {
    this.#memory.remove(key)
  }

  /** Undefined is every site. */
  removeSite(siteId: string | undefined): void {
    this.#memory.removeSite(siteId)
  }

  reserve(bytes: number): boolean {
    return this.#memory.reserve(bytes)
  }

  release(bytes: number): void {
    this.#memory.release(bytes)
  }
}

/** RFC 9111, section 4.1: the newest one that the request selects. */
export function select(
  objects: readonly StoredObject[],
  request: RequestFields,
): StoredObject | undefined {
  return objects.find(({ vary, variant }) => variantOf(vary, request) === variant)
}
