/**
 * The index of all objects, and the bodies that are in memory. What was used longest ago goes first. What is being
 * fetched counts too, so that the limit holds while many objects come at once.
 */
import { memoryBytes, type StoredObject } from './object.ts'

/** Different responses of one URL. */
export const VARIANTS_MAX = 20

interface Entry {
  readonly siteId: string
  /** The newest one first. */
  objects: readonly StoredObject[]
  bytes: number
}

export class MemoryIndex {
  readonly #limitBytes: number
  readonly #evicted: (objects: readonly StoredObject[]) => void
  /** In the order of use. */
  readonly #entries = new Map<string, Entry>()
  #lastKey: string | undefined
  #bytes = 0
  #reserved = 0
  #objects = 0

  /** `evicted` gets what had to go for lack of room, and nothing that was removed. */
  constructor(limitBytes: number, evicted: (objects: readonly StoredObject[]) => void) {
    this.#limitBytes = limitBytes
    this.#evicted = evicted
  }

  get bytes(): number {
    return this.#bytes
  }

  get objects(): number {
    return this.#objects
  }

  /** Those of a URL; using them makes them the last to go. */
  use(key: string): readonly StoredObject[] {
    const entry = this.#entries.get(key)
    if (entry === undefined) return NONE
    // Most requests of a busy moment are for the same one, which is last already.
    if (key !== this.#lastKey) {
      this.#entries.delete(key)
      this.#entries.set(key, entry)
      this.#lastKey = key
    }
    return entry.objects
  }

  peek(key: string): readonly StoredObject[] {
    return this.#entries.get(key)?.objects ?? NONE
  }

  /** In the place of those of the same variant. Gives back what is no longer in use. */
  add(object: StoredObject): readonly StoredObject[] {
    const { key, siteId, variant, vary } = object
    const others = this.peek(key)
    const isSame = (other: StoredObject) =>
      other.variant === variant && other.vary.join() === vary.join()
    const kept = [object, ...others.filter((other) => !isSame(other))].slice(0, VARIANTS_MAX)
    this.#set(key, siteId, kept)
    this.#makeRoom()
    return others.filter((other) => !kept.includes(other))
  }

  remove(key: string, object?: StoredObject): readonly StoredObject[] {
    const entry = this.#entries.get(key)
    if (entry === undefined) return NONE
    const kept = object === undefined ? NONE : entry.objects.filter((other) => other !== object)
    const removed = entry.objects.filter((other) => !kept.includes(other))
    this.#set(key, entry.siteId, kept)
    return removed
  }

  removeSite(siteId: string | undefined): readonly StoredObject[] {
    const keys = [...this.#entries.keys()].filter(
      (key) => siteId === undefined || this.#entries.get(key)?.siteId === siteId,
    )
    return keys.flatMap((key) => this.remove(key))
  }

  /** Room for what is being fetched; false when there is none even without all stored objects. */
  reserve(bytes: number): boolean {
    if (this.#reserved + bytes > this.#limitBytes) return false
    this.#reserved += bytes
    this.#makeRoom()
    return true
  }

  release(bytes: number): void {
    this.#reserved -= bytes
  }

  #set(key: string, siteId: string, objects: readonly StoredObject[]): void {
    const before = this.#entries.get(key)
    this.#bytes -= before?.bytes ?? 0
    this.#objects += objects.length - (before?.objects.length ?? 0)
    this.#entries.delete(key)
    this.#lastKey = undefined
    if (objects.length === 0) return
    const bytes = objects.reduce((sum, object) => sum + memoryBytes(object), 0)
    this.#entries.set(key, { siteId, objects, bytes })
    this.#bytes += bytes
  }

  #makeRoom(): void {
    for (const [key, { siteId, objects }] of this.#entries) {
      if (this.#bytes + this.#reserved <= this.#limitBytes) return
      this.#set(key, siteId, NONE)
      this.#evicted(objects)
    }
  }
}

const NONE: readonly StoredObject[] = []
