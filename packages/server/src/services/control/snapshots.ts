/** Saves and loads the whole state. What that is, the storage knows; here is what else a load means. */
import { Readable } from 'node:stream'
import { text as readText } from 'node:stream/consumers'
import { RunningClock } from '../../kernel/clock.ts'
import type { ControlledClock } from '../../kernel/controlled-clock.ts'
import { parseDatetime, utcMicros } from '../../kernel/datetime.ts'
import { BadRequest, Conflict, NotFound } from '../../kernel/errors.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import {
  knownMigrations,
  loadSnapshot,
  SnapshotTooLarge,
  StoredSnapshot,
  takeSnapshot,
  upgradeSnapshot,
} from '../../snapshots/snapshot.ts'
import {
  indexSnapshot,
  readHead,
  SnapshotBroken,
  type SnapshotHead,
  type SnapshotIndex,
} from '../../snapshots/snapshot-file.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { ClockStore } from './clock-store.ts'
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

/** Of the contents of files; each is held in memory while it is loaded. */
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
    const infos = (await blobs.list()).map(async ({ key, bytes }) => {
      const start = await blobs.read(key, { start: 0, end: Math.min(bytes, HEAD_BYTES) - 1 })
      // Deleted since.
      if (start === undefined) return undefined
      const { created_at: createdAt } = readHead(await readText(start))
      return { name: key.slice(PREFIX.length), createdAt, bytes }
    })
    return (await Promise.all(infos)).filter((info) => info !== undefined)
  }

  /** No clock is moved meanwhile, so that the rows and the time belong together. */
  save(name: string): Promise<SnapshotInfo> {
    checkName(name)
    const { database, blobs, clock, box, files } = this.#parts
    return clock.undisturbed(async () => {
      const now = utcMicros(clock.now())
      const sealed = box.seal('kumoi', SEAL)
      const head: SnapshotHead = { kumoi_snapshot: 1, created_at: now, now, sealed }
      const contents = { blobs: files, bytesMax: CONTENT_BYTES_MAX }
      const target = { blobs, key: PREFIX + name }
      const bytes = await refusing(takeSnapshot(database, head, contents, target))
      return { name, createdAt: head.created_at, bytes }
    })
  }

  async load(name: string, now: Date): Promise<void> {
    const { database, clock, files, loading, loaded } = this.#parts
    // Nobody saves another one under the name meanwhile, either.
    await clock.undisturbed(async () => {
      const snapshot = await this.#open(name)
      const { index } = snapshot
      const current = this.#isOlder(index) ? await upgradeSnapshot(snapshot, now) : snapshot
      const time = parseDatetime(index.head.now)
      // Before the rows that name them.
      await snapshot.writeFiles(files)
      await loadSnapshot(database, current, async (tx) => {
        await loading(tx)
        if (time !== undefined && clock.mode !== 'real') {
          await new ClockStore(tx).put({ ...clock.state, now: time }, new RunningClock().now())
        }
        tx.afterCommit(() => {
          if (time !== undefined) clock.goBackTo(time)
          loaded()
        })
      })
      await snapshot.deleteOtherFiles(files)
    })
  }

  /** The file as it is kept. */
  text(name: string): Promise<string> {
    return this.#read(PREFIX + name)
  }

  async import(name: string, text: string): Promise<SnapshotInfo> {
    checkName(name)
    const { head, ...index } = await refusing(indexSnapshot(piecesOf(text)))
    this.#isOlder({ head, ...index })
    const bytes = await this.#parts.blobs.write(PREFIX + name, Readable.from(piecesOf(text)))
    return { name, createdAt: head.created_at, bytes }
  }

  async delete(name: string): Promise<void> {
    const key = PREFIX + name
    await this.#read(key, { start: 0, end: 0 })
    await this.#parts.blobs.delete(key)
  }

  async #read(key: string, range?: { start: number; end: number }): Promise<string> {
    const content = await this.#parts.blobs.read(key, range)
    if (content === undefined) throw noSnapshot(key.slice(PREFIX.length))
    return readText(content)
  }

  async #open(name: string): Promise<StoredSnapshot> {
    const snapshot = await refusing(StoredSnapshot.open(this.#parts.blobs, PREFIX + name))
    if (snapshot === undefined) throw noSnapshot(name)
    return snapshot
  }

  /** Refuses what is from a newer Kumoi, or sealed under another key. */
  #isOlder({ head, migrations }: SnapshotIndex): boolean {
    const older = isOlder(migrations, knownMigrations(this.#parts.database))
    try {
      this.#parts.box.open(head.sealed, SEAL)
    } catch (cause) {
      throw new Conflict(
        'The secrets in the snapshot are sealed under another key-encryption key.',
        'スナップショットの秘密情報は別の鍵暗号化鍵で暗号化されています。',
        { cause },
      )
    }
    return older
  }
}

const PIECE_LENGTH = 64 * 1024
const HIGH_SURROGATE = /[\uD800-\uDBFF]$/

async function* piecesOf(text: string): AsyncGenerator<Buffer> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + PIECE_LENGTH
    // Not between the two halves of one letter.
    if (HIGH_SURROGATE.test(text.slice(end - 1, end))) end += 1
    yield Buffer.from(text.slice(start, end))
  }
}

function noSnapshot(name: string): NotFound {
  return new NotFound(`There is no snapshot ${name}.`, `スナップショット ${name} はありません。`)
}

function tooLarge(): Conflict {
  const most = CONTENT_BYTES_MAX / 1024 / 1024
  return new Conflict(
    `The files hold more than ${most} MiB, which a snapshot does not take; delete some first.`,
    `ファイルの合計が ${most} MiB を超えているため、スナップショットを作成できません。`,
  )
}

/** What the storage finds wrong, in words for the caller. */
async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof SnapshotTooLarge) throw tooLarge()
    if (!(error instanceof SnapshotBroken)) throw error
    const { message } = error
    throw new BadRequest(
      `The snapshot is broken. ${message}`,
      `スナップショットが壊れています。${message}`,
    )
  }
}
