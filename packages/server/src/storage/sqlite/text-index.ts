/**
 * Takes into the index of texts what waits for it (migration 0090), when enough does: the index writes itself
 * out each time. Until then a search looks at those that wait by themselves (text-index-store.ts).
 */
import { raw, type Sql } from '../sql.ts'

const TABLE = raw("SELECT 1 AS found FROM sqlite_schema WHERE name = 'item_text_waiting'")
/** More would be felt by each search. */
export const MOST_WAITING = 512
const ENOUGH = raw(`SELECT 1 AS found FROM item_text_waiting LIMIT 1 OFFSET ${MOST_WAITING}`)
const TAKE_IN = [
  raw('DELETE FROM item_text WHERE rowid IN (SELECT id FROM item_text_waiting)'),
  raw(`INSERT INTO item_text (rowid, name, external_key)
       SELECT waiting.id, item.name, item.external_key
       FROM item_text_waiting AS waiting JOIN item ON item.id = CAST(waiting.id AS TEXT)`),
  raw('DELETE FROM item_text_waiting'),
]

export interface TextTables {
  has(query: Sql): boolean
  run(query: Sql): void
}

export class SqliteTextIndex {
  readonly #tables: TextTables
  /** Not before the migrations have run. */
  #isThere = false

  constructor(tables: TextTables) {
    this.#tables = tables
  }

  flush(): void {
    this.#isThere ||= this.#tables.has(TABLE)
    if (!this.#isThere || !this.#tables.has(ENOUGH)) return
    for (const statement of TAKE_IN) this.#tables.run(statement)
  }
}
