/**
 * A snapshot as a file: JSON lines. The first says what it is, then come the tables, each a line with
 * its columns and a line for each row, then the sequences and the contents of files, and a last line that
 * shows that it is whole.
 */
import { compileSchema } from '../kernel/schema.ts'
import { Type } from '../kernel/type.ts'
import type { SequenceState } from './sequences.ts'
import type { SqlValue } from './sql.ts'

export interface TableContent {
  readonly name: string
  /** Empty when there are no rows. */
  readonly columns: readonly string[]
  readonly rows: readonly (readonly SqlValue[])[]
}

/** What is in the database. */
export interface RowContent {
  /** The versions of the schema's migrations that had been applied. */
  readonly migrations: readonly number[]
  readonly tables: readonly TableContent[]
  readonly sequences: readonly SequenceState[]
}

export interface SnapshotContent extends RowContent {
  readonly blobs: readonly BlobContent[]
}

/** The content of a file, in base64. */
export interface BlobContent {
  readonly key: string
  readonly content: string
}

export interface SnapshotHead {
  readonly kumoi_snapshot: 1
  readonly created_at: string
  /** The time on the clock. */
  readonly now: string
  /** Opens only under the key-encryption key that the secrets in the rows are sealed with. */
  readonly sealed: string
}

export class SnapshotBroken extends Error {}

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

export function* snapshotLines(head: SnapshotHead, content: SnapshotContent): Generator<string> {
  let count = 2
  yield line({ ...head, migrations: content.migrations })
  for (const { name, columns, rows } of content.tables) {
    yield line({ table: name, columns })
    for (const row of rows) yield line(row)
    count += 1 + rows.length
  }
  for (const { name, next } of content.sequences) yield line({ sequence: name, next })
  for (const { key, content: text } of content.blobs) yield line({ blob: key, content: text })
  yield line({ lines: count + content.sequences.length + content.blobs.length })
}

export function readHead(text: string): SnapshotHead {
  const head = parse(text.split('\n', 1)[0] ?? '', 1)
  if (!isHead(head)) throw new SnapshotBroken('Line 1 is not the head of a snapshot.')
  // The schema has just been checked.
  return head as SnapshotHead
}

export function parseSnapshot(text: string): { head: SnapshotHead; content: SnapshotContent } {
  const lines = text.trimEnd().split('\n')
  const head = readHead(text) as SnapshotHead & Pick<SnapshotContent, 'migrations'>
  const last = parse(lines.at(-1) ?? '', lines.length) as { lines?: unknown } | null
  if (last?.lines !== lines.length) throw new SnapshotBroken('The end is missing.')
  const tables: (TableContent & { rows: SqlValue[][] })[] = []
  const sequences: SequenceState[] = []
  const blobs: BlobContent[] = []
  lines.slice(1, -1).forEach((raw, index) => {
    const value = parse(raw, index + 2)
    const table = tables.at(-1)
    if (isRow(value, table?.columns.length)) {
      table?.rows.push(value)
    } else if (isTable(value)) {
      const { table: name, columns } = value as { table: string; columns: string[] }
      tables.push({ name, columns, rows: [] })
    } else if (isSequence(value)) {
      const { sequence: name, next } = value as { sequence: string; next: number }
      sequences.push({ name, next })
    } else if (isBlob(value)) {
      const { blob: key, content } = value as { blob: string; content: string }
      blobs.push({ key, content })
    } else throw new SnapshotBroken(`Line ${index + 2} is no row, table, sequence or blob.`)
  })
  return { head, content: { migrations: head.migrations, tables, sequences, blobs } }
}

/** By hand: there are as many of them as rows, and a compiled schema takes three times as long. */
function isRow(value: unknown, length: number | undefined): value is SqlValue[] {
  return (
    Array.isArray(value) &&
    value.length === length &&
    value.every((one) => one === null || typeof one === 'string' || typeof one === 'number')
  )
}

function parse(text: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new SnapshotBroken(`Line ${number} is not valid JSON.`)
  }
}

function schema(shape: Parameters<typeof compileSchema>[0]): (value: unknown) => boolean {
  const check = compileSchema(shape)
  return (value) => check(value) === undefined
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`
}
