import { NotFound } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { compileSearch, type SearchFields } from '../../storage/search.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import { tagsFromText, tagsToText } from '../../storage/tags.ts'
import { FarPageStore, farOrder, indexedOrder } from './far-page-store.ts'
import type { PageMarkStore } from './page-mark-store.ts'
import type { Item } from './rules.ts'
import { candidates, noteText } from './text-index-store.ts'

interface ItemRow {
  id: ItemId
  account_id: AccountId
  class: string
  name: string
  description: string | null
  tags: string
  icon_id: string | null
  external_key: string | null
  availability: Item['availability']
  created_at: number
  modified_at: number
}

const ITEM = raw(`id, account_id, class, name, description, tags, icon_id, external_key,
  availability, created_at, modified_at`)

/** Rows of the count, chosen by the id: concurrent creations seldom meet in one. SQLite has one writer. */
export const SHARDS = 16

/**
 * Always so, and SQLite takes it for a reason to go by the index of ids: questions to another table are several times
 * as quick in the order of its key (docs/performance.md).
 */
const BY_ID = raw("id > ''")
const BY_ID_GAIN = 6

/** To look at so many items takes some milliseconds. */
export const MANY = 10_000

/** The items of one account. A store cannot see past the account it was made for. */
export class ItemStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async get(id: string): Promise<Item> {
    const row = await this.#tx.first<ItemRow>(
      sql`SELECT ${ITEM} FROM item WHERE account_id = ${this.#accountId} AND id = ${id}`,
    )
    if (row === undefined) {
      throw new NotFound(`Item ${id} does not exist.`, `アイテム ${id} は存在しません。`)
    }
    return toItem(row)
  }

  async list(
    query: SearchQuery,
    fields: SearchFields,
    marks?: PageMarkStore,
  ): Promise<{ readonly total: number; readonly items: Item[] }> {
    const { where, orderBy } = compileSearch(query, fields, raw('id'))
    const order = farOrder(query)
    const classes = onlyClasses(query)
    if (marks !== undefined && order !== undefined && classes !== undefined) {
      const pages = new FarPageStore(this.#tx, this.#accountId, marks)
      const page = await pages.find(order, query, where, classes)
      const rows = await this.#tx.all<ItemRow>(
        sql`SELECT ${ITEM} FROM item WHERE id IN (${page.ids}) ORDER BY ${orderBy}`,
      )
      page.passed(rows)
      return { total: page.total, items: rows.map(toItem) }
    }
    const ids = await candidates(this.#tx, query)
    const isByIndex = classes !== undefined && indexedOrder(query) !== undefined
    if (ids === undefined && !isByIndex) await this.#offloadIfMany()
    const from = ids === undefined ? raw('item') : amongIds(ids)
    const hasLookup = query.filter.some(({ path }) => fields[path]?.isLookup)
    const total = await this.#total(query, from, hasLookup ? sql`${where} AND ${BY_ID}` : where)
    // Counted from the rows themselves just now.
    if (classes === undefined && total <= query.from) return { total, items: [] }
    // Most of what is found: it is looked for in the quicker order and sorted.
    const isMost = hasLookup && (query.from + query.count) * BY_ID_GAIN > total
    const rows = await this.#tx.all<ItemRow>(
      sql`SELECT ${ITEM} FROM ${from}
          WHERE account_id = ${this.#accountId} AND ${isMost ? sql`${where} AND ${BY_ID}` : where}
          ORDER BY ${orderBy} LIMIT ${query.count} OFFSET ${query.from}`,
    )
    return { total, items: rows.map(toItem) }
  }

  async insert(item: Item): Promise<void> {
    // Together: one round trip on PostgreSQL.
    await Promise.all([
      this.#tx.run(
        sql`INSERT INTO item (${ITEM})
            VALUES (${item.id}, ${item.accountId}, ${item.class}, ${item.name},
                    ${item.description ?? null}, ${tagsToText(item.tags)}, ${item.iconId ?? null},
                    ${item.externalKey ?? null}, ${item.availability}, ${item.createdAt},
                    ${item.modifiedAt})`,
      ),
      noteText(this.#tx, item.id),
      this.#count(item, 1),
    ])
  }

  async update(item: Item): Promise<void> {
    const renamed = await this.#tx.first(
      sql`SELECT 1 AS found FROM item WHERE id = ${item.id} AND name <> ${item.name}`,
    )
    if (renamed !== undefined) await this.#count(item, 0)
    await this.#tx.run(
      sql`UPDATE item SET name = ${item.name}, description = ${item.description ?? null},
            tags = ${tagsToText(item.tags)}, icon_id = ${item.iconId ?? null},
            modified_at = ${item.modifiedAt}
          WHERE account_id = ${this.#accountId} AND id = ${item.id}`,
    )
  }

  async delete(item: Item): Promise<void> {
    const deleted = await this.#tx.run(
      sql`DELETE FROM item WHERE account_id = ${this.#accountId} AND id = ${item.id}`,
    )
    await this.#count(item, -deleted)
  }

  /** 1 for one more, -1 for one less, 0 for another name: the last two are changes (far-page-store.ts). */
  #count(item: Item, change: number): Promise<number> {
    const shard = this.#tx.engine === 'sqlite' ? 0 : Number(item.id) % SHARDS
    return this.#tx.run(
      sql`INSERT INTO item_count (account_id, class, shard, items, changes)
          VALUES (${this.#accountId}, ${item.class}, ${shard}, ${change}, ${change <= 0})
          ON CONFLICT (account_id, class, shard)
          DO UPDATE SET items = item_count.items + excluded.items,
            changes = item_count.changes + excluded.changes`,
    )
  }

  /** About to look at all items of the account, which is nothing when they are few. */
  async #offloadIfMany(): Promise<void> {
    if (this.#tx.offload === undefined) return
    if ((await this.#totalBy(this.#all())) > MANY) this.#tx.offload()
  }

  async #total(query: SearchQuery, from: Sql, where: Sql): Promise<number> {
    const classes = onlyClasses(query)
    const counted =
      classes === undefined
        ? sql`SELECT count(*) AS total FROM ${from} WHERE account_id = ${this.#accountId} AND ${where}`
        : classes === 'all'
          ? this.#all()
          : sql`SELECT sum(items) AS total FROM item_count
                WHERE account_id = ${this.#accountId} AND class IN ${list(classes)}`
    return this.#totalBy(counted)
  }

  #all(): Sql {
    return sql`SELECT sum(items) AS total FROM item_count WHERE account_id = ${this.#accountId}`
  }

  async #totalBy(counted: Sql): Promise<number> {
    const row = await this.#tx.first<{ total: number | null }>(counted)
    return row?.total ?? 0
  }
}

/** CROSS JOIN keeps the order: each candidate is looked up, whatever else the query could begin with. */
function amongIds(ids: readonly number[]): Sql {
  return sql`(SELECT item.* FROM json_each(${JSON.stringify(ids)}) AS candidate
              CROSS JOIN item WHERE item.id = CAST(candidate.value AS TEXT)) AS item`
}

/** The classes that a query asks for when it asks for nothing else: their count is kept. */
function onlyClasses({ filter }: SearchQuery): 'all' | readonly string[] | undefined {
  const [condition, ...others] = filter
  if (condition === undefined) return 'all'
  if (others.length > 0 || condition.path !== 'Provider.Class') return undefined
  if (condition.operator === 'match') return [condition.text]
  if (condition.operator !== 'in') return undefined
  return condition.values.every((value) => typeof value === 'string') ? condition.values : undefined
}

/** Those of all accounts, in the order in which they were made: for an export of the world. */
export async function listItemsOfClass(tx: Tx, itemClass: string): Promise<Item[]> {
  const rows = await tx.all<ItemRow>(
    sql`SELECT ${ITEM} FROM item WHERE class = ${itemClass} ORDER BY id`,
  )
  return rows.map(toItem)
}

function toItem(row: ItemRow): Item {
  return {
    id: row.id,
    accountId: row.account_id,
    class: row.class,
    name: row.name,
    description: row.description ?? undefined,
    tags: tagsFromText(row.tags),
    iconId: row.icon_id ?? undefined,
    externalKey: row.external_key ?? undefined,
    availability: row.availability,
    createdAt: new Date(row.created_at),
    modifiedAt: new Date(row.modified_at),
  }
}
