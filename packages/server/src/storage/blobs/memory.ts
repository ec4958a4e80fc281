import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { type BlobSize, type Blobs, type ByteRange, checkKey } from './blobs.ts'

/** Blobs for a server that keeps nothing on disk. */
export class MemoryBlobs implements Blobs {
  readonly #contents = new Map<string, Buffer>()

  async write(key: string, content: Readable): Promise<number> {
    checkKey(key)
    const bytes = await buffer(content)
    this.#contents.set(key, bytes)
    return bytes.length
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    const bytes = this.#contents.get(checkKey(key))
    if (bytes === undefined) return undefined
    return Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes])
  }

  async delete(key: string): Promise<void> {
    this.#contents.delete(checkKey(key))
  }

  async list(): Promise<BlobSize[]> {
    return [...this.#contents]
      .filter(([key]) => !key.includes('/'))
      .map(([key, bytes]) => ({ key, bytes: bytes.length }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
  }

  async clear(): Promise<void> {
    this.#contents.clear()
  }
}
