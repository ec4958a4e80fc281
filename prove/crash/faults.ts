/** Switches the faults of a machine on and off for a process that was started with `environment`. */
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../acceptance/debian.ts'

/** In the order that faults.c has them. */
const FIELDS = ['write', 'flush', 'clock', 'met'] as const
const BYTES = 4

export class Faults {
  readonly environment: NodeJS.ProcessEnv
  readonly #file: string

  /** `folder` is where writes fail. Undefined where there is no C compiler and none can be had. */
  static prepare(place: string, folder: string): Faults | undefined {
    const library = join(place, 'faults.so')
    if (!compile(library)) installPackages('gcc', 'libc6-dev')
    return compile(library) ? new Faults(join(place, 'faults'), library, folder) : undefined
  }

  private constructor(file: string, library: string, folder: string) {
    this.#file = file
    writeFileSync(file, Buffer.alloc(FIELDS.length * BYTES))
    this.environment = { LD_PRELOAD: library, FAULT_FILE: file, FAULT_FOLDER: folder }
  }

  /** How often a call was refused. */
  get met(): number {
    const bytes = Buffer.alloc(BYTES)
    const handle = openSync(this.#file, 'r')
    readSync(handle, bytes, 0, BYTES, FIELDS.indexOf('met') * BYTES)
    closeSync(handle)
    return bytes.readInt32LE()
  }

  failWrites(error: 'ENOSPC' | 'EROFS' | 'EIO' | undefined): void {
    this.#set('write', error === undefined ? 0 : constants.errno[error])
  }

  failFlushes(error: 'EIO' | undefined): void {
    this.#set('flush', error === undefined ? 0 : constants.errno[error])
  }

  /** Of the wall clock. */
  stepClock(seconds: number): void {
    this.#set('clock', seconds)
  }

  #set(field: (typeof FIELDS)[number], value: number): void {
    const bytes = Buffer.alloc(BYTES)
    bytes.writeInt32LE(value)
    // In place: the process has the file in its memory.
    const handle = openSync(this.#file, 'r+')
    writeSync(handle, bytes, 0, BYTES, FIELDS.indexOf(field) * BYTES)
    closeSync(handle)
  }
}

function compile(library: string): boolean {
  const source = fileURLToPath(new URL('faults.c', import.meta.url))
  const flags = ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl']
  return spawnSync('gcc', flags, { stdio: 'ignore' }).status === 0
}
