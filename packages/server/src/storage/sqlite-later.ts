/**
 * What may wait until just before the commit: one statement then does for all writes of a group what each of
 * them has asked for.
 */
import type { Sql, SqlValue } from './sql.ts'

/** The statement for all values that have come together under one name. */
export type ForAll = (values: readonly SqlValue[]) => Sql

interface Waiting {
  readonly values: SqlValue[]
  readonly together: ForAll
}

export class SqliteLater {
  readonly #run: (query: Sql) => void
  /** A new one for each group, not one that is cleared (docs/adr/0171). */
  #waiting = new Map<string, Waiting>()

  constructor(run: (query: Sql) => void) {
    this.#run = run
  }

  add(name: string, value: SqlValue, together: ForAll): void {
    const waiting = this.#waiting.get(name)
    if (waiting === undefined) this.#waiting.set(name, { values: [value], together })
    else waiting.values.push(value)
  }

  flush(): void {
    for (const { values, together } of this.#waiting.values()) this.#run(together(values))
    this.#waiting = new Map()
  }

  /** The writes that asked for it are rolled back. */
  forget(): void {
    this.#waiting = new Map()
  }
}
