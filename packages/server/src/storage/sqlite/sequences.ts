/**
 * Numbers of the embedded engine's sequences, for one group of writes: read once, counted in memory, written
 * once before the commit. A number that a failed write took is not given again, as on the other engine.
 */
import { type Sql, sql } from '../sql.ts'

export interface SequenceTable {
  first(query: Sql): { readonly next: number } | undefined
  run(query: Sql): void
}

export class SqliteSequences {
  readonly #table: SequenceTable
  /** A new one for each group, not one that is cleared (docs/adr/0171). */
  #next = new Map<string, number>()

  constructor(table: SequenceTable) {
    this.#table = table
  }

  take(name: string): number {
    const taken = this.#next.get(name) ?? this.#read(name)
    this.#next.set(name, taken + 1)
    return taken
  }

  /** From here on at least the number after this one. */
  reserve(name: string, number: number): void {
    const next = this.#next.get(name) ?? this.#read(name)
    if (next <= number) this.#next.set(name, number + 1)
  }

  /** Before the commit, and before anybody looks at or changes the table by another way. */
  flush(): void {
    for (const [name, next] of this.#next) {
      this.#table.run(sql`UPDATE sequence SET next = ${next} WHERE name = ${name}`)
    }
    this.#next = new Map()
  }

  /** After a rollback. */
  forget(): void {
    this.#next = new Map()
  }

  #read(name: string): number {
    const row = this.#table.first(sql`SELECT next FROM sequence WHERE name = ${name}`)
    if (row === undefined) throw new Error(`There is no sequence ${name}.`)
    return row.next
  }
}
