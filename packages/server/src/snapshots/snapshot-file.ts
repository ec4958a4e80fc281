/**
 * A snapshot as a file: JSON lines. The first says what it is, then come the tables, each a line with
 * its columns and a line for each row, then the sequences and the contents of files, and a last line that
 * shows that it is whole. A file is never held in memory: it is read once to check it and to find its parts, and
 * each part is read again by its range of bytes.
 */
import { yieldToEventLoop } from '../kernel/clock.ts'
import { compileSchema, formatPath } from '../kernel/schema.ts'
import { textProblem } from '../kernel/text-check.ts'
import { Type } from '../kernel/type.ts'
import type { ByteRange } from '../storage/blobs/blobs.ts'
import type { SequenceState } from '../storage/sequences.ts'
import type { SqlValue } from '../storage/sql.ts'

export interface SnapshotHead {
  readonly kumoi_snapshot: 1
  readonly created_at: string
  /** The time on the clock. */
  readonly now: string
  /** Opens only under the key-encryption key that the secrets in the rows are sealed with. */
  readonly sealed: string
}

export interface SnapshotTable {
  readonly name: string
  /** Empty when there are no rows. */
  readonly columns: readonly string[]
  readonly rows: number
  /** Of the rows; undefined when there are none. */
  readonly range: ByteRange | undefined
}

/** What is in a snapshot, and where. */
export interface SnapshotIndex {
  readonly head: SnapshotHead
  /** The versions of the schema's migrations that had been applied. */
  readonly migrations: readonly number[]
  readonly tables: readonly SnapshotTable[]
  readonly sequences: readonly SequenceState[]
  readonly blobs: readonly { readonly key: string; readonly range: ByteRange }[]
}

export class SnapshotBroken extends Error {}

type Bytes = AsyncIterable<Buffer>

interface Line {
  readonly text: string
  readonly range: ByteRange
}

const NAME = Type.String({ pattern: '^[a-z_][a-z0-9_]*$' })
const isHead = schema(
  Type.Object({
    kumoi_snapshot: Type.Literal(1),
    created_at: Type.String(),
    now: Type.String(),
    sealed: Type.String(),
    migrations: Type.Array(Type.Integer()),
  }),
)
const isTable = schema(Type.Object({ table: NAME, columns: Type.Array(NAME) }))
const isSequence = schema(Type.Object({ sequence: NAME, next: Type.Integer({ minimum: 0 }) }))
const isBlob = schema(Type.Object({ blob: Type.String(), content: Type.String() }))

export function toLine(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}

export function readHead(text: string): SnapshotHead & Pick<SnapshotIndex, 'migrations'> {
  const head = parse(text.split('\n', 1)[0] ?? '', 1)
  if (!isHead(head)) throw new SnapshotBroken('Line 1 is not the head of a snapshot.')
  // The schema has just been checked.
  return head as SnapshotHead & Pick<SnapshotIndex, 'migrations'>
}

/** Checks the whole file. */
export async function indexSnapshot(bytes: Bytes): Promise<SnapshotIndex> {
  const found = new Indexer()
  for await (const lines of readLines(bytes)) for (const line of lines) found.add(line)
  return found.end()
}

/** The rows of a table, in batches of a few hundred. `bytes` are those of the table's range. */
export async function* readRows(bytes: Bytes): AsyncGenerator<SqlValue[][]> {
  // They were checked when the file was indexed.
  for await (const lines of readLines(bytes)) yield lines.map(({ text }) => JSON.parse(text))
}

export async function readBlob(bytes: Bytes): Promise<Buffer> {
  for await (const [line] of readLines(bytes)) {
    if (line !== undefined) return Buffer.from(JSON.parse(line.text).content, 'base64')
  }
  throw new SnapshotBroken('The content of a file is missing.')
}

class Indexer {
  #count = 0
  #head: ReturnType<typeof readHead> | undefined
  readonly #tables: SnapshotTable[] = []
  readonly #sequences: SequenceState[] = []
  readonly #blobs: { key: string; range: ByteRange }[] = []
  #isWhole = false

  add({ text, range }: Line): void {
    this.#count += 1
    // Nothing comes after the end.
    this.#isWhole = false
    if (this.#head === undefined) {
      this.#head = readHead(text)
      return
    }
    const value = parse(text, this.#count)
    if (!this.#addRow(value, range)) this.#addPart(value, range)
  }

  end(): SnapshotIndex {
    const { migrations, ...head } = this.#head ?? readHead('')
    if (!this.#isWhole) throw new SnapshotBroken('The end is missing.')
    const parts = { tables: this.#tables, sequences: this.#sequences, blobs: this.#blobs }
    return { head, migrations, ...parts }
  }

  #addRow(value: unknown, range: ByteRange): boolean {
    const table = this.#tables.at(-1)
    if (table === undefined || !isRow(value, table.columns.length)) return false
    const start = table.range?.start ?? range.start
    this.#tables[this.#tables.length - 1] = {
      ...table,
      rows: table.rows + 1,
      range: { start, end: range.end },
    }
    return true
  }

  #addPart(value: unknown, range: ByteRange): void {
    if (isTable(value)) {
      const { table: name, columns } = value as { table: string; columns: string[] }
      this.#tables.push({ name, columns, rows: 0, range: undefined })
    } else if (isSequence(value)) {
      const { sequence: name, next } = value as { sequence: string; next: number }
      this.#sequences.push({ name, next })
    } else if (isBlob(value)) {
      this.#blobs.push({ key: (value as { blob: string }).blob, range })
    } else if ((value as { lines?: unknown } | null)?.lines === this.#count) {
      this.#isWhole = true
    } else throw new SnapshotBroken(`Line ${this.#count} is no row, table, sequence or blob.`)
  }
}

/** So many bytes are handled before others have their chance. */
const STEP_BYTES = 64 * 1024
const NEWLINE = 10

/** Whole lines with their place in the file, some at a time; the event loop runs in between. */
async function* readLines(bytes: Bytes): AsyncGenerator<Line[]> {
  let rest: Buffer[] = []
  let start = 0
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; from += STEP_BYTES) {
      const step = chunk.subarray(from, from + STEP_BYTES)
      const last = step.lastIndexOf(NEWLINE)
      if (last === -1) {
        rest.push(step)
        continue
      }
      const whole = Buffer.concat([...rest, step.subarray(0, last + 1)])
      yield splitLines(whole, start)
      await yieldToEventLoop()
      start += whole.length
      rest = [step.subarray(last + 1)]
    }
  }
  const end = Buffer.concat(rest)
  if (end.length > 0) yield splitLines(end, start)
}

function splitLines(bytes: Buffer, offset: number): Line[] {
  const lines: Line[] = []
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    lines.push({
      text: bytes.toString('utf8', start, end),
      range: { start: offset + start, end: offset + end - 1 },
    })
    start = end + 1
  }
  return lines
}

/** By hand: there are as many of them as rows, and a compiled schema takes three times as long. */
function isRow(value: unknown, length: number): value is SqlValue[] {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((one) => one === null || typeof one === 'string' || typeof one === 'number')
  )
}

function parse(text: string, number: number): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new SnapshotBroken(`Line ${number} is not valid JSON.`)
  }
  const problem = textProblem(value)
  if (problem === undefined) return value
  throw new SnapshotBroken(`Line ${number}: ${formatPath(problem.path)} ${problem.text.en}`)
}

function schema(shape: Parameters<typeof compileSchema>[0]): (value: unknown) => boolean {
  const check = compileSchema(shape)
  return (value) => check(value) === undefined
}
