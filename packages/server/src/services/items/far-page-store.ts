/**
 * Finds a page far into a long list. An offset is what the interface has, and an engine gets to it by walking over all
 * that comes before. So the walk stays within one index, begins at the nearer end, or at a row of an earlier page if
 * nothing of the list has changed since (docs/adr/0018-far-pages.md).
 */
import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { Mark, PageMarkStore } from './page-mark-store.ts'

/** Up to here a walk costs less than to know the list's version. */
export const FAR = 1000

/** To walk over so many takes some milliseconds. */
export const LONG_WALK = 20_000

/** The orders that an index has, forwards and backwards. */
const ORDERS = {
  id: { forwards: raw('id'), backwards: raw('id DESC') },
  name: { forwards: raw('name, id'), backwards: raw('name DESC, id DESC') },
} as const

type Order = keyof typeof ORDERS

/** The order of an index that a list begins with, in either direction; undefined when none has it. */
export function indexedOrder({ sort: [first] }: SearchQuery): Order | undefined {
  if (first === undefined || first.path === 'ID') return 'id'
  return first.path === 'Name' ? 'name' : undefined
}

/** Undefined when the page is near, or in an order that no index has. */
export function farOrder(query: SearchQuery): Order | undefined {
  const [first, ...others] = query.sort
  if (query.from < FAR || first?.descending || others.length > 0) return undefined
  return indexedOrder(query)
}

interface Key {
  readonly id: ItemId
  readonly name: string
}

export interface FarPage {
  readonly total: number
  /** A query for the ids of the page. */
  readonly ids: Sql
  /** To be told of the rows that were found, in their order. */
  passed(rows: readonly Key[]): void
}

export class FarPageStore {
  readonly #tx: Tx
  readonly #accountId: AccountId
  readonly #marks: PageMarkStore

  constructor(tx: Tx, accountId: AccountId, marks: PageMarkStore) {
    this.#tx = tx
    this.#accountId = accountId
    this.#marks = marks
  }

  /** `where` leaves all items of these classes, and no others. */
  async find(
    order: Order,
    { from, count: requested }: SearchQuery,
    where: Sql,
    classes: 'all' | readonly string[],
  ): Promise<FarPage> {
    const { total, version } = await this.#version(classes)
    const count = Math.max(0, Math.min(requested, total - from))
    const list = JSON.stringify([this.#accountId, order, classes])
    const mark = this.#marks.find(list, version, from)
    const own = sql`account_id = ${this.#accountId} AND ${where}`
    const ahead = from - (mark?.at ?? 0)
    const behind = total - from - count
    if (Math.min(ahead, behind) > LONG_WALK) this.#tx.offload?.()
    const { forwards, backwards } = ORDERS[order]
    return {
      total,
      ids:
        count === 0 || behind < ahead
          ? sql`SELECT id FROM item WHERE ${own}
                ORDER BY ${backwards} LIMIT ${count} OFFSET ${Math.max(0, behind)}`
          : sql`SELECT id FROM item WHERE ${own} AND ${since(order, mark)}
                ORDER BY ${forwards} LIMIT ${count} OFFSET ${ahead}`,
      passed: (rows) => {
        // Of the first one for the page itself, and of the last one for the page after it.
        for (const at of new Set([0, rows.length - 1])) {
          const row = rows[at]
          if (row === undefined) continue
          this.#marks.note(list, version, { at: from + at, id: row.id, name: row.name })
        }
      },
    }
  }

  /** Creations change the number, renamings and removals the changes, and what replaces all changes the last. */
  async #version(classes: 'all' | readonly string[]) {
    const own = sql`account_id = ${this.#accountId}`
    const where = classes === 'all' ? own : sql`${own} AND class IN ${list(classes)}`
    const row = await this.#tx.first<{ items: number; changes: number; replacements: number }>(
      sql`SELECT sum(items) AS items, sum(changes) AS changes,
            (SELECT count FROM replacement) AS replacements
          FROM item_count WHERE ${where}`,
    )
    const { items, changes, replacements } = row ?? {}
    return { total: items ?? 0, version: `${replacements} ${changes} ${items}` }
  }
}

function since(order: Order, mark: Mark | undefined): Sql {
  if (mark === undefined) return raw('1 = 1')
  if (order === 'id') return sql`id >= ${mark.id}`
  return sql`(name, id) >= (${mark.name}, ${mark.id})`
}
