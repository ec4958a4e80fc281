/**
 * Bodies on the disk: a file each, written under another name first, so that a file under its own name is whole. Which
 * file is what is known in memory only. A restart begins with an empty cache: purges of the meantime would be missing.
 */
import type { FileHandle } from 'node:fs/promises'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StoredFile } from './object.ts'

const WHOLE = '.object'
const PARTIAL = '.partial'

export class Disk {
  readonly #folder: string
  readonly limitBytes: number
  #bytes = 0
  #count = 0

  private constructor(folder: string, limitBytes: number) {
    this.#folder = folder
    this.limitBytes = limitBytes
  }

  /** Drops what an earlier process has left there. Other files stay. */
  static async open(folder: string, limitBytes: number): Promise<Disk> {
    await mkdir(folder, { recursive: true })
    const left = (await readdir(folder)).filter((name) => /^\d+\.(?:object|partial)$/.test(name))
    await Promise.all(left.map((name) => rm(join(folder, name), { force: true })))
    return new Disk(folder, limitBytes)
  }

  /** With what is being written. */
  get bytes(): number {
    return this.#bytes
  }

  create(): PartialFile {
    this.#count += 1
    const path = join(this.#folder, String(this.#count))
    return new PartialFile(path, (bytes) => {
      this.#bytes += bytes
    })
  }

  /** Those who are reading it read on. */
  remove({ path, length }: StoredFile): void {
    this.#bytes -= length
    // One that cannot be removed is dropped at the next start.
    rm(path, { force: true }).catch(() => undefined)
  }
}

/** Undefined when the file is not as it was stored. */
export async function openWhole({ path, length }: StoredFile): Promise<FileHandle | undefined> {
  const handle = await open(path).catch(() => undefined)
  if (handle === undefined) return undefined
  const { size } = await handle.stat()
  if (size === length) return handle
  await handle.close()
  return undefined
}

/** A body while it is written. What has been written can be read already. */
export class PartialFile {
  readonly #path: string
  readonly #count: (bytes: number) => void
  readonly #handle: Promise<FileHandle>
  #last: Promise<unknown>
  #appended = 0
  #written = 0
  #failure: Error | undefined
  #users = 1
  readonly #waiting = new Set<() => void>()

  constructor(path: string, count: (bytes: number) => void) {
    this.#path = path
    this.#count = count
    this.#handle = open(path + PARTIAL, 'wx+', 0o600)
    this.#last = this.#handle
    this.#handle.catch((error: Error) => this.#fail(error))
  }

  get written(): number {
    return this.#written
  }

  /** What waits to be written. */
  get queued(): number {
    return this.#appended - this.#written
  }

  get failure(): Error | undefined {
    return this.#failure
  }

  append(chunk: Buffer): void {
    this.#appended += chunk.length
    this.#count(chunk.length)
    this.#last = this.#last.then(async () => {
      if (this.#failure !== undefined) return
      const handle = await this.#handle
      await handle.write(chunk)
      this.#written += chunk.length
      this.#wake()
    })
    this.#last.catch((error: Error) => this.#fail(error))
  }

  async read(buffer: Buffer, position: number): Promise<number> {
    const handle = await this.#handle
    return (await handle.read(buffer, 0, buffer.length, position)).bytesRead
  }

  /** When more has been written, or it has failed. */
  progress(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  /** All is written; it has its own name from now on. */
  async finish(): Promise<StoredFile> {
    await this.#last
    if (this.#failure !== undefined) throw this.#failure
    await rename(this.#path + PARTIAL, this.#path + WHOLE)
    return { path: this.#path + WHOLE, length: this.#appended }
  }

  /** It is not going to be stored. */
  discard(): void {
    this.#fail(new Error('The body was not stored.'))
    this.#count(-this.#appended)
    this.#appended = 0
    rm(this.#path + PARTIAL, { force: true }).catch(() => undefined)
  }

  retain(): void {
    this.#users += 1
  }

  release(): void {
    this.#users -= 1
    if (this.#users === 0) this.#handle.then((handle) => handle.close()).catch(() => undefined)
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake()
  }

  #wake(): void {
    const waiting = [...this.#waiting]
    this.#waiting.clear()
    for (const progress of waiting) progress()
  }
}
