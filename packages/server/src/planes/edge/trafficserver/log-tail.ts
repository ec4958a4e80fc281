/**
 * Reads a log that another process appends to and rolls: `access.log`, and files beside it whose names begin with it.
 * The position is a file (its inode, which stays when it is renamed) and an offset, so that reading goes on after a
 * restart where it ended. A file that was read to its end after it was rolled is deleted.
 */
import { open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

const CHUNK_BYTES = 1024 * 1024
const NEWLINE = 10

export interface Batch {
  readonly lines: readonly string[]
  /** After the lines. */
  readonly position: string
}

interface LogFile {
  readonly path: string
  readonly inode: number
  readonly isRolled: boolean
  readonly changedMs: number
}

export class LogTail {
  readonly #folder: string
  readonly #name: string

  constructor(folder: string, name: string) {
    this.#folder = folder
    this.#name = name
  }

  /** The next whole lines after a position; none when all was read. An empty position is the beginning. */
  async read(position: string): Promise<Batch> {
    const [inode = 0, offset = 0] = position.split(':').map(Number)
    const files = await this.#files()
    const at = files.findIndex((file) => file.inode === inode)
    // Where the file is gone, what is left was written after it.
    const rest = files.slice(Math.max(at, 0))
    for (const [index, file] of rest.entries()) {
      const start = at >= 0 && index === 0 ? offset : 0
      const { lines, end } = await readLines(file.path, start)
      const next = { lines, position: `${file.inode}:${end}` }
      if (lines.length > 0) return next
      if (!file.isRolled || index === rest.length - 1) return next
    }
    return { lines: [], position }
  }

  /** Deletes rolled files before that of the position: what they held is counted. */
  async forget(position: string): Promise<void> {
    const inode = Number(position.split(':')[0])
    const files = await this.#files()
    const at = files.findIndex((file) => file.inode === inode)
    for (const file of files.slice(0, Math.max(at, 0))) {
      if (file.isRolled) await rm(file.path, { force: true })
    }
  }

  /** The oldest first, the current one last. */
  async #files(): Promise<LogFile[]> {
    const names = (await readdir(this.#folder)).filter((name) => name.startsWith(this.#name))
    const files = await Promise.all(names.map((name) => this.#describe(name)))
    return files
      .filter((file) => file !== undefined)
      .sort((a, b) => Number(b.isRolled) - Number(a.isRolled) || a.changedMs - b.changedMs)
  }

  async #describe(name: string): Promise<LogFile | undefined> {
    if (name.endsWith('.meta')) return undefined
    const path = join(this.#folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found === undefined) return undefined
    const { ino: inode, mtimeMs: changedMs } = found
    return { path, inode, changedMs, isRolled: name !== this.#name }
  }
}

async function readLines(path: string, start: number): Promise<{ lines: string[]; end: number }> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, start)
    const length = buffer.subarray(0, bytesRead).lastIndexOf(NEWLINE) + 1
    // A line longer than a chunk is none of ours.
    const end = length === 0 && bytesRead === CHUNK_BYTES ? start + bytesRead : start + length
    const text = buffer.subarray(0, length).toString()
    return { lines: text.split('\n').filter((line) => line !== ''), end }
  } finally {
    await file.close()
  }
}
