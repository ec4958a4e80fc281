/** Saves and loads the whole state. What that is, the storage knows; here is what else a load means. */
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import type { ControlledClock } from '../../kernel/controlled-clock.ts'
import { parseDatetime, utcMicros } from '../../kernel/datetime.ts'
import { BadRequest, Conflict, NotFound } from '../../kernel/errors.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Database, Tx } from '../../storage/database.ts'
import {
  keepBlobs,
  knownMigrations,
  loadSnapshot,
  readBlobs,
  takeSnapshot,
  upgradeSnapshot,
  writeBlobs,
} from '../../storage/snapshot.ts'
import {
  parseSnapshot,
  readHead,
  SnapshotBroken,
  type SnapshotHead,
  snapshotLines,
} from '../../storage/snapshot-file.ts'
import { checkName, isOlder } from './snapshot-rules.ts'

export interface SnapshotInfo {
  readonly name: string
  readonly createdAt: string
  readonly bytes: number
}

interface SnapshotParts {
  readonly database: Database
  /** Where snapshots are kept; a reset does not reach it. */
  readonly blobs: Blobs
  /** The contents of files, which belong to the state. */
  readonly files: Blobs
  readonly clock: ControlledClock
  readonly box: SecretBox
  /** Runs in the transaction of a load. */
  readonly loading: (tx: Tx) => Promise<void>
  /** Runs when another world is there. */
  readonly loaded: () => void
}

/** Of the contents of files. A snapshot is read as a whole, so it has to fit into memory. */
export const CONTENT_BYTES_MAX = 64 * 1024 * 1024

const SEAL = 'snapshot'
const PREFIX = 'snapshot-'
/** More than the first line of a snapshot ever takes. */
const HEAD_BYTES = 16_384

export class Snapshots {
  readonly #parts: SnapshotParts

  constructor(parts: SnapshotParts) {
    this.#parts = parts
  }

  async list(): Promise<SnapshotInfo[]> {
    const { blobs } = this.#parts
    const all = await blobs.list()
    return Promise.all(
      all.map(async ({ key, bytes }) => {
        const start = await this.#read(key, { start: 0, end: Math.min(bytes, HEAD_BYTES) - 1 })
        const name = key.slice(PREFIX.length)
        return { name, createdAt: readHead(start).created_at, bytes }
      }),
    )
  }

  /** No clock is moved meanwhile, so that the rows and the time belong together. */
  save(name: string): Promise<SnapshotInfo> {
    checkName(name)
    const { database, clock, box, files } = this.#parts
    return clock.undisturbed(async () => {
      const rows = await takeSnapshot(database)
      // After the rows: what they name is there, and what came since does no harm.
      const blobs = await readBlobs(files, CONTENT_BYTES_MAX)
      if (blobs === undefined) throw tooLarge()
      const content = { ...rows, blobs }
      const now = utcMicros(clock.now())
      const sealed = box.seal('kumoi', SEAL)
      const head: SnapshotHead = { kumoi_snapshot: 1, created_at: now, now, sealed }
      return this.#keep(name, head, [...snapshotLines(head, content)].join(''))
    })
  }

  async load(name: string, now: Date): Promise<void> {
    const { database, clock, files, loading, loaded } = this.#parts
    const { head, content, older } = await this.#usable(await this.text(name))
    const current = older ? await upgradeSnapshot(content, now) : content
    const time = parseDatetime(head.now)
    await clock.undisturbed(async () => {
      // Before the rows that name them.
      await writeBlobs(files, content.blobs)
      await loadSnapshot(database, current, async (tx) => {
        await loading(tx)
        tx.afterCommit(() => {
          if (time !== undefined) clock.goBackTo(time)
          loaded()
        })
      })
      await keepBlobs(files, content.blobs)
    })
  }

  /** The file as it is kept. */
  text(name: string): Promise<string> {
    return this.#read(PREFIX + name)
  }

  async import(name: string, text: string): Promise<SnapshotInfo> {
    checkName(name)
    const { head } = await this.#usable(text)
    return this.#keep(name, head, text)
  }

  async delete(name: string): Promise<void> {
    const key = PREFIX + name
    await this.#read(key, { start: 0, end: 0 })
    await this.#parts.blobs.delete(key)
  }

  async #keep(name: string, head: SnapshotHead, text: string): Promise<SnapshotInfo> {
    const bytes = await this.#parts.blobs.write(PREFIX + name, Readable.from([Buffer.from(text)]))
    return { name, createdAt: head.created_at, bytes }
  }

  async #read(key: string, range?: { start: number; end: number }): Promise<string> {
    const content = await this.#parts.blobs.read(key, range)
    if (content !== undefined) return readText(content)
    const name = key.slice(PREFIX.length)
    throw new NotFound(`There is no snapshot ${name}.`, `スナップショット ${name} はありません。`)
  }

  /** Refuses what is broken, from a newer Kumoi, or sealed under another key. */
  async #usable(text: string) {
    const snapshot = parse(text)
    const older = isOlder(snapshot.content.migrations, await knownMigrations(this.#parts.database))
    try {
      this.#parts.box.open(snapshot.head.sealed, SEAL)
    } catch (cause) {
      throw new Conflict(
        'The secrets in the snapshot are sealed under another key-encryption key.',
        'スナップショットの秘密情報は別の鍵暗号化鍵で暗号化されています。',
        { cause },
      )
    }
    return { ...snapshot, older }
  }
}

function tooLarge(): Conflict {
  const most = CONTENT_BYTES_MAX / 1024 / 1024
  return new Conflict(
    `The files hold more than ${most} MiB, which a snapshot does not take; delete some first.`,
    `ファイルの合計が ${most} MiB を超えているため、スナップショットを作成できません。`,
  )
}

function parse(text: string) {
  try {
    return parseSnapshot(text)
  } catch (error) {
    if (!(error instanceof SnapshotBroken)) throw error
    const { message } = error
    throw new BadRequest(
      `The snapshot is broken. ${message}`,
      `スナップショットが壊れています。${message}`,
    )
  }
}
