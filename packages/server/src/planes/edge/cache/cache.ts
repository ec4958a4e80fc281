/** What is stored, for the delivery: the index, bodies in memory, and bodies on the disk where there is one. */
import type { RequestFields } from '../policy/fields.ts'
import { variantOf } from '../policy/vary.ts'
import type { Disk, PartialFile } from './disk.ts'
import { MemoryIndex } from './memory.ts'
import type { StoredFile, StoredObject } from './object.ts'

/** A larger one would drive out too many others. */
const LARGEST_SHARE = 8
/** What may wait to be moved from memory to the disk; the rest is dropped. */
const MOVING_BYTES_MAX = 16 * 2 ** 20

export class ObjectCache {
  readonly #memory: MemoryIndex
  readonly #disk: Disk | undefined
  /** Those with a body on the disk, by its path, in the order of use. */
  readonly #onDisk = new Map<string, StoredObject>()
  /** Those that are being moved there. */
  readonly #moving = new Set<StoredObject>()
  #movingBytes = 0
  /** Of a body that is kept in memory. */
  readonly memoryObjectMax: number
  /** Of a body that is kept on the disk; 0 when there is none. */
  readonly diskObjectMax: number

  constructor(memoryBytes: number, disk?: Disk) {
    this.memoryObjectMax = Math.floor(memoryBytes / LARGEST_SHARE)
    this.diskObjectMax = Math.floor((disk?.limitBytes ?? 0) / LARGEST_SHARE)
    this.#disk = disk
    this.#memory = new MemoryIndex(memoryBytes, (objects) => this.#moveOrDrop(objects))
  }

  get bytes(): number {
    return this.#memory.bytes + (this.#disk?.bytes ?? 0)
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

  /** A body that is read from the disk is the last to go there. */
  useFile(file: StoredFile): void {
    const object = this.#onDisk.get(file.path)
    if (object === undefined) return
    this.#onDisk.delete(file.path)
    this.#onDisk.set(file.path, object)
  }

  add(object: StoredObject): void {
    this.#stopMoving(({ key }) => key === object.key)
    this.#insert(object)
  }

  /** After a validation; nothing happens when the object is gone meanwhile. */
  replace(before: StoredObject, after: StoredObject): void {
    if (this.#memory.peek(before.key).includes(before)) this.#insert(after)
  }

  remove(object: StoredObject): void {
    this.#dispose(this.#memory.remove(object.key, object))
  }

  removeUrl(key: string): void {
    this.#stopMoving((object) => object.key === key)
    this.#dispose(this.#memory.remove(key))
  }

  /** Undefined is every site. */
  removeSite(siteId: string | undefined): void {
    this.#stopMoving((object) => siteId === undefined || object.siteId === siteId)
    this.#dispose(this.#memory.removeSite(siteId))
  }

  reserve(bytes: number): boolean {
    return this.#memory.reserve(bytes)
  }

  release(bytes: number): void {
    this.#memory.release(bytes)
  }

  /** For a body of this length, which is not for the memory; undefined when it is not for the disk either. */
  newFile(length: number): PartialFile | undefined {
    return length <= this.diskObjectMax ? this.#disk?.create() : undefined
  }

  /** A file that was written, but whose object is not wanted any more. */
  dropFile(file: StoredFile): void {
    this.#disk?.remove(file)
  }

  #insert(object: StoredObject): void {
    const { body } = object
    const replaced = this.#memory.add(object)
    // After a validation the body is the same one.
    this.#dispose(replaced.filter((other) => other.body !== body))
    // One that found no room is gone again.
    if (Buffer.isBuffer(body) || !this.#memory.peek(object.key).includes(object)) return
    this.#onDisk.delete(body.path)
    this.#onDisk.set(body.path, object)
    for (const oldest of this.#onDisk.values()) {
      if ((this.#disk?.bytes ?? 0) <= (this.#disk?.limitBytes ?? 0)) break
      this.remove(oldest)
    }
  }

  #dispose(objects: readonly StoredObject[]): void {
    for (const { body } of objects) {
      if (Buffer.isBuffer(body)) continue
      this.#onDisk.delete(body.path)
      this.#disk?.remove(body)
    }
  }

  #moveOrDrop(objects: readonly StoredObject[]): void {
    this.#dispose(objects)
    for (const object of objects) if (Buffer.isBuffer(object.body)) this.#move(object, object.body)
  }

  #move(object: StoredObject, body: Buffer): void {
    if (this.#movingBytes + body.length > MOVING_BYTES_MAX) return
    const file = this.newFile(body.length)
    if (file === undefined) return
    this.#moving.add(object)
    this.#movingBytes += body.length
    file.append(body)
    file
      .finish()
      .then(
        (stored) => {
          const { prepared: _, text: __, ...rest } = object
          // It may have been purged, or there may be a newer one.
          if (this.#moving.has(object)) this.#insert({ ...rest, body: stored })
          else this.dropFile(stored)
        },
        () => file.discard(),
      )
      .finally(() => {
        this.#moving.delete(object)
        this.#movingBytes -= body.length
        file.release()
      })
  }

  #stopMoving(isMeant: (object: StoredObject) => boolean): void {
    for (const object of this.#moving) if (isMeant(object)) this.#moving.delete(object)
  }
}

/** RFC 9111, section 4.1: the newest one that the request selects. */
export function select(
  objects: readonly StoredObject[],
  request: RequestFields,
): StoredObject | undefined {
  return objects.find(({ vary, variant }) => variantOf(vary, request) === variant)
}
