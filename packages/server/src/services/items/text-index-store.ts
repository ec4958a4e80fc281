/**
 * Finds the few items that can have a part of a text, by the index of threes of characters. What it answers is
 * more than what matches, never less: the search itself still compares (docs/adr/0017-trigram-index.md).
 */
import type { ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

/** The columns of the index, by the fields that search them. */
const INDEXED: ReadonlyMap<string, string> = new Map([
  ['Name', 'name'],
  ['Status.ICCID', 'external_key'],
])

/** With more candidates the index is of little use, and the items are read in their order instead. */
export const MOST_CANDIDATES = 1000

/** A new item; of one that is changed or removed the index learns by a trigger. */
export async function noteText(tx: Tx, id: ItemId): Promise<void> {
  if (tx.engine !== 'sqlite') return
  await tx.run(sql`INSERT OR IGNORE INTO item_text_waiting (id) VALUES (${Number(id)})`)
}

/** The ids as numbers; undefined when the index cannot help. */
export async function candidates(tx: Tx, query: SearchQuery): Promise<number[] | undefined> {
  // PostgreSQL finds its index by itself.
  const match = tx.engine === 'sqlite' ? matchText(query) : ''
  if (match === '') return undefined
  const found = await tx.all<{ id: number }>(
    sql`SELECT rowid AS id FROM item_text WHERE item_text MATCH ${match} LIMIT ${MOST_CANDIDATES + 1}`,
  )
  if (found.length > MOST_CANDIDATES) return undefined
  // The index does not know them yet, or not as they are now (sqlite-text-index.ts).
  const waiting = await tx.all<{ id: number }>(sql`SELECT id FROM item_text_waiting`)
  return [...new Set([...found, ...waiting].map(({ id }) => id))]
}

/** All threes of all words; empty when no word is long enough. */
export function matchText({ filter }: SearchQuery): string {
  const terms = filter.flatMap((condition) => {
    const column = INDEXED.get(condition.path)
    if (column === undefined || condition.operator !== 'match') return []
    return condition.words.flatMap(threesOf).map((three) => `${column}:${quoted(three)}`)
  })
  return [...new Set(terms)].slice(0, MOST_TERMS).join(' AND ')
}

/** Enough to tell texts apart; the search compares the rest. */
const MOST_TERMS = 40

function threesOf(word: string): string[] {
  const characters = [...word]
  return characters.slice(2).map((_, index) => characters.slice(index, index + 3).join(''))
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
