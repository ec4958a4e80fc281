/**
 * Statements for many rows at once. Rows are cut into a few sizes, so that an engine meets few texts and has
 * prepared them all; a hundred rows are two statements.
 */
/** The largest first. */
const SIZES = [256, 192, 128, 96, 64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1]

type Value = string | number | null

/** As the template of storage/sql.ts gives it. */
export interface RowStatement {
  readonly chunks: readonly string[]
  readonly values: readonly Value[]
  readonly isFixed: true
}

export class RowStatements {
  readonly #head: string
  readonly #cells: readonly string[]
  readonly #tail: string
  readonly #chunks = new Map<number, readonly string[]>()

  /** Between head and tail come the rows, of so many values each. */
  constructor(head: string, values: number, tail: string) {
    this.#head = head
    this.#cells = Array.from({ length: values }, (_, at) => (at === 0 ? '(' : ', '))
    this.#tail = tail
  }

  of(rows: readonly (readonly Value[])[]): RowStatement[] {
    const statements: RowStatement[] = []
    for (let from = 0; from < rows.length; ) {
      const size = SIZES.find((one) => one <= rows.length - from) ?? 1
      const values: Value[] = []
      for (let at = from; at < from + size; at += 1) values.push(...(rows[at] ?? []))
      statements.push({ chunks: this.#chunksOf(size), values, isFixed: true })
      from += size
    }
    return statements
  }

  #chunksOf(rows: number): readonly string[] {
    const known = this.#chunks.get(rows)
    if (known !== undefined) return known
    const chunks: string[] = []
    for (let row = 0; row < rows; row += 1) {
      for (const [at, cell] of this.#cells.entries()) {
        const before = at > 0 ? '' : row === 0 ? this.#head : '), '
        chunks.push(before + cell)
      }
    }
    chunks.push(`)${this.#tail}`)
    this.#chunks.set(rows, chunks)
    return chunks
  }
}
