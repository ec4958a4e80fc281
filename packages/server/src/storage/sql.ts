/**
 * A tagged template for SQL that serves both engines. A value in a hole becomes a parameter, a
 * nested `sql` fragment is spliced in; nothing that a user sent is ever part of the text.
 */

export type SqlValue = string | number | null

/** What may stand in a hole: booleans are stored as 0 and 1, datetimes as epoch milliseconds. */
export type SqlHole = SqlValue | boolean | Date | Sql

export class Sql {
  /** One more chunk than there are values; the engines put their placeholder between. */
  readonly chunks: readonly string[]
  readonly values: readonly SqlValue[]
  /** The chunks are the same array whenever this query is made, so an engine may know them by it. */
  readonly isFixed: boolean

  constructor(chunks: readonly string[], values: readonly SqlValue[], isFixed = false) {
    this.chunks = chunks
    this.values = values
    this.isFixed = isFixed
  }
}

export function sql(strings: TemplateStringsArray, ...holes: readonly SqlHole[]): Sql {
  const known = shapes.get(strings)
  if (known !== undefined && hasShape(known, holes)) {
    const values: SqlValue[] = []
    for (const hole of holes) if (!(hole instanceof Sql)) values.push(toValue(hole))
    return new Sql(known.chunks, values, true)
  }
  const built = build(strings, holes)
  if (holes.every((hole) => !(hole instanceof Sql) || hole.values.length === 0)) {
    const fixed = holes.map((hole) => (hole instanceof Sql ? hole : undefined))
    shapes.set(strings, { chunks: built.chunks, fixed })
  }
  return built
}

/**
 * Most queries are the same text each time: a template of our source whose only fragments are lists of
 * columns. From the second time on its chunks are the same array, by which an engine finds its statement.
 */
interface Shape {
  readonly chunks: readonly string[]
  /** The fragment in each hole; undefined where a value stands. */
  readonly fixed: readonly (Sql | undefined)[]
}

const shapes = new WeakMap<TemplateStringsArray, Shape>()

function hasShape({ fixed }: Shape, holes: readonly SqlHole[]): boolean {
  for (let index = 0; index < holes.length; index += 1) {
    const hole = holes[index]
    if ((hole instanceof Sql ? hole : undefined) !== fixed[index]) return false
  }
  return true
}

function build(strings: TemplateStringsArray, holes: readonly SqlHole[]): Sql {
  const chunks: string[] = [strings[0] ?? '']
  const values: SqlValue[] = []
  holes.forEach((hole, index) => {
    const tail = strings[index + 1] ?? ''
    if (hole instanceof Sql) {
      append(chunks, hole.chunks)
      values.push(...hole.values)
      append(chunks, [tail])
    } else {
      values.push(toValue(hole))
      chunks.push(tail)
    }
  })
  return new Sql(chunks, values)
}

/** Text written in our own source: a column, a table, an operator. Never anything from a request. */
export function raw(text: string): Sql {
  return new Sql([text], [])
}

export function join(parts: readonly Sql[], separator: string): Sql {
  const chunks: string[] = ['']
  const values: SqlValue[] = []
  parts.forEach((part, index) => {
    if (index > 0) append(chunks, [separator])
    append(chunks, part.chunks)
    values.push(...part.values)
  })
  return new Sql(chunks, values)
}

/** `(?, ?, ?)` for IN; an empty list matches nothing. */
export function list(values: readonly SqlValue[]): Sql {
  if (values.length === 0) return raw('(NULL)')
  return sql`(${join(
    values.map((value) => sql`${value}`),
    ', ',
  )})`
}

function append(chunks: string[], tail: readonly string[]): void {
  chunks[chunks.length - 1] += tail[0] ?? ''
  chunks.push(...tail.slice(1))
}

function toValue(hole: Exclude<SqlHole, Sql>): SqlValue {
  if (typeof hole === 'boolean') return hole ? 1 : 0
  if (hole instanceof Date) return hole.getTime()
  return hole
}
