/**
 * Blobs as files. Written beside their place, flushed, then renamed: after a crash there is the old
 * content or the new one, and what was broken off is swept away at the next start.
 */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { isOtherRunning } from '../../kernel/other-process.ts'
import { type BlobSize, type Blobs, type ByteRange, checkKey } from './blobs.ts'

export class FileBlobs implements Blobs {
  readonly #folder: string
  readonly #unfinished: string
  #count = 0

  private constructor(folder: string) {
    this.#folder = join(folder, 'content')
    this.#unfinished = join(folder, 'unfinished')
  }

  static async open(folder: string): Promise<FileBlobs> {
    const blobs = new FileBlobs(folder)
    await mkdir(blobs.#unfinished, { recursive: true })
    await mkdir(blobs.#folder, { recursive: true })
    await blobs.#sweep()
    return blobs
  }

  /** Drafts of processes that are gone; those of other workers are still being written. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.#unfinished)) {
      if (!isOtherRunning(Number.parseInt(name, 10))) await rm(join(this.#unfinished, name))
    }
  }

  async write(key: string, content: Readable): Promise<number> {
    const target = join(this.#folder, checkKey(key))
    // A stream that breaks while the file is being opened is met by the loop that reads it.
    content.once('error', () => undefined)
    this.#count += 1
    const draft = join(this.#unfinished, `${process.pid}-${this.#count}`)
    try {
      const size = await writeFlushed(draft, content)
      await mkdir(dirname(target), { recursive: true })
      await rename(draft, target)
      await flush(dirname(target))
      return size
    } catch (error) {
      await rm(draft, { force: true })
      throw error
    }
  }

  async read(key: string, range?: ByteRange): Promise<Readable | undefined> {
    // Opened here, so that a content which is deleted a moment later is still read as a whole.
    const handle = await orGone(open(join(this.#folder, checkKey(key)), 'r'))
    if (handle === undefined) return undefined
    if ((await handle.stat()).isFile()) return handle.createReadStream(range)
    await handle.close()
    return undefined
  }

  async delete(key: string): Promise<void> {
    await rm(join(this.#folder, checkKey(key)), { force: true })
  }

  async list(): Promise<BlobSize[]> {
    const entries = await readdir(this.#folder, { withFileTypes: true })
    const keys = entries.filter((entry) => entry.isFile()).map(({ name }) => name)
    const sizes = keys.sort().map(async (key) => {
      const found = await orGone(stat(join(this.#folder, key)))
      return found && { key, bytes: found.size }
    })
    return (await Promise.all(sizes)).filter((size) => size !== undefined)
  }

  async clear(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true })
    await mkdir(this.#folder, { recursive: true })
  }
}

/** Undefined where there is no such file, or not any more. */
async function orGone<T>(found: Promise<T>): Promise<T | undefined> {
  try {
    return await found
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

async function writeFlushed(file: string, content: Readable): Promise<number> {
  const handle = await open(file, 'wx', 0o600)
  try {
    let size = 0
    for await (const chunk of content) {
      // A copy of each would fill the memory faster than it is emptied.
      const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk)
      // The system may take less than it is given.
      for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
      size += bytes.length
    }
    await handle.sync()
    return size
  } finally {
    await handle.close()
  }
}

/** Of a file, or of a folder: a file that was renamed is durable only when its folder is. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
