/**
 * Moves waiting items into the trigram index of names (migration 0090) when there are enough of them: the index
 * writes itself out each time. Until then a search reads those that wait as well (text-index-store.ts).
 */
import { raw } from '../sql.ts'
import type { SqliteConnection } from './connection.ts'

const TABLE = raw("SELECT 1 AS found FROM sqlite_schema WHERE name = 'item_text_waiting'")
/** More would be felt by each search. */
export const MAX_WAITING = 512
const ENOUGH = raw(`SELECT 1 AS found FROM item_text_waiting LIMIT 1 OFFSET ${MAX_WAITING}`)
const INDEX_WAITING = [
  raw('DELETE FROM item_text WHERE rowid IN (SELECT id FROM item_text_waiting)'),
  raw(`INSERT INTO item_text (rowid, name, external_key)
       SELECT waiting.id, item.name, item.external_key
       FROM item_text_waiting AS waiting JOIN item ON item.id = CAST(waiting.id AS TEXT)`),
  raw('DELETE FROM item_text_waiting'),
]

type Connection = Pick<SqliteConnection, 'first' | 'run'>

export class TextIndex {
  readonly #connection: Connection
  /** Not before the migrations have run. */
  #exists = false

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** To be called before each commit. */
  update(): void {
    this.#exists ||= this.#connection.first(TABLE) !== undefined
    if (!this.#exists || this.#connection.first(ENOUGH) === undefined) return
    for (const statement of INDEX_WAITING) this.#connection.run(statement)
  }
}
