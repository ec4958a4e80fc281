/** Where the contents of files are kept, apart from the database. */
import type { Readable } from 'node:stream'

/** Inclusive on both ends, as in a range request. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface BlobSize {
  readonly key: string
  readonly bytes: number
}

export interface Blobs {
  /** Replaces what is there whole or not at all; answers with the number of bytes. */
  write(key: string, content: Readable): Promise<number>
  /** Undefined when there is no such blob. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  delete(key: string): Promise<void>
  /** Of the top level, sorted by key. */
  list(): Promise<BlobSize[]>
  /** All of them go: for a reset. */
  clear(): Promise<void>
}

/** Keys are made by us, never by a user; the check keeps a mistake from leaving the folder. */
export function checkKey(key: string): string {
  if (!/^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)*$/.test(key)) {
    throw new Error(`${JSON.stringify(key)} is not a blob key.`)
  }
  return key
}
