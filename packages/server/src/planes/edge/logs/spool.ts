/**
 * Access logs wait in files until they are uploaded. Each line is written when its request ends, so a process that is
 * killed loses none. A file is removed after its upload, and its name makes the name of the object: what a crash leaves
 * is uploaded again, over itself.
 */
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { isOtherRunning } from '../../../kernel/other-process.ts'

/** A file is closed when it has so many bytes, or is so old. */
const FILE_BYTES = 2 * 2 ** 20
const FILE_AGE_MS = 3 * 60_000

/** `SITE-TIME-PID-NUMBER.log` */
const NAME = /^([A-Za-z0-9]+)-(\d+)-(\d+)-(\d+)\.log$/

export interface SpoolFile {
  readonly name: string
  readonly path: string
  readonly siteId: string
  readonly openedAt: Date
  readonly bytes: number
}

interface OpenFile {
  readonly name: string
  readonly descriptor: number
  readonly openedAt: number
  bytes: number
}

export class Spool {
  readonly #folder: string
  readonly #now: () => Date
  readonly #open = new Map<string, OpenFile>()
  #count = 0

  constructor(folder: string, now: () => Date) {
    this.#folder = folder
    this.#now = now
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  }

  append(siteId: string, text: string): void {
    const file = this.#open.get(siteId) ?? this.#create(siteId)
    file.bytes += writeSync(file.descriptor, text)
    if (file.bytes >= FILE_BYTES) this.#close(siteId, file)
  }

  /** Files that nobody writes to any more, the oldest first; those that are old enough are closed before. */
  async closed(): Promise<SpoolFile[]> {
    const now = this.#now().getTime()
    for (const [siteId, file] of this.#open) {
      if (now - file.openedAt >= FILE_AGE_MS) this.#close(siteId, file)
    }
    const names = (await readdir(this.#folder)).filter((name) => this.#isClosed(name))
    const files = await Promise.all(names.map((name) => this.#describe(name)))
    return files
      .filter((file) => file !== undefined)
      .sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime())
  }

  /** Another process may have been first. */
  async remove({ path }: SpoolFile): Promise<void> {
    await unlink(path).catch(ignoreMissing)
  }

  closeAll(): void {
    for (const [siteId, file] of this.#open) this.#close(siteId, file)
  }

  #create(siteId: string): OpenFile {
    const openedAt = this.#now().getTime()
    this.#count += 1
    const name = `${siteId}-${openedAt}-${process.pid}-${this.#count}.log`
    const file = {
      ...{ name, openedAt, bytes: 0 },
      descriptor: openSync(join(this.#folder, name), 'a', 0o600),
    }
    this.#open.set(siteId, file)
    return file
  }

  #close(siteId: string, { descriptor }: OpenFile): void {
    this.#open.delete(siteId)
    closeSync(descriptor)
  }

  /** Workers share a folder. A file of a process that runs is its own business; in a container every start is process 1. */
  #isClosed(name: string): boolean {
    const pid = Number(NAME.exec(name)?.[3] ?? Number.NaN)
    if (Number.isNaN(pid)) return false
    if (pid !== process.pid) return !isOtherRunning(pid)
    return ![...this.#open.values()].some((file) => file.name === name)
  }

  async #describe(name: string): Promise<SpoolFile | undefined> {
    const [, siteId = '', openedAt] = NAME.exec(name) ?? []
    const path = join(this.#folder, name)
    const size = (await stat(path).catch(ignoreMissing))?.size
    if (size === undefined) return undefined
    return { name, path, siteId, openedAt: new Date(Number(openedAt)), bytes: size }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
  return undefined
}
