import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { idFromNumber, parseId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Database } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import { truncateAll } from '../../storage/truncate.ts'
import { engines } from '../../testing/engines.ts'
import { FAR } from './far-page-store.ts'
import { type Mark, PageMarkStore } from './page-mark-store.ts'
import type { Item } from './rules.ts'
import { searchFields } from './search-fields.ts'
import { ItemStore, SHARDS } from './store.ts'

const ACCOUNT = parseId<'account'>('900000000001') ?? assert.fail()
const NEW_ACCOUNT = sql`INSERT INTO account
  (id, code, name, class, member_code, member_class, created_at)
  VALUES (${ACCOUNT}, 'acme', 'Acme', 'a', 'm', 'm', 0)`
const FIELDS = searchFields([])
const ROWS = 2 * FAR + 300

/** Says which marks were used. */
class WatchedMarks extends PageMarkStore {
  readonly found: (Mark | undefined)[] = []

  override find(...args: Parameters<PageMarkStore['find']>) {
    const mark = super.find(...args)
    this.found.push(mark)
    return mark
  }
}

function itemOf(number: number, name: string): Item {
  return {
    ...{ id: idFromNumber<'item'>(910_000_000_000 + number), accountId: ACCOUNT, class: 'sim' },
    ...{ name, description: undefined, tags: [], iconId: undefined, externalKey: undefined },
    ...{ availability: 'available', createdAt: new Date(0), modifiedAt: new Date(0) },
  }
}

function query(from: number, count: number, sort?: string, isOfAll = false): SearchQuery {
  return {
    ...{ from, count, include: undefined, exclude: [] },
    sort: sort === undefined ? [] : [{ path: sort, descending: false }],
    filter: isOfAll ? [] : [{ path: 'Provider.Class', operator: 'in', values: ['sim'] }],
  }
}

/** Names come in another order than ids, and some of them twice. */
async function fill(database: Database): Promise<void> {
  await database.write(async (tx) => {
    await tx.run(NEW_ACCOUNT)
    const columns = ['id', 'account_id', 'class', 'name', 'tags', 'availability']
    const rows = Array.from({ length: ROWS }, (_, n) => {
      const { id, name } = itemOf(n, `m${(n * 7919) % 1009}`)
      return [id, ACCOUNT, 'sim', name, '', 'available', 0, 0]
    })
    await tx.insertMany('item', [...columns, 'created_at', 'modified_at'], rows)
    const counts = Array.from({ length: SHARDS }, (_, shard) => {
      const items = rows.filter(([id]) => Number(id) % SHARDS === shard).length
      return [ACCOUNT, 'sim', shard, items]
    })
    await tx.insertMany('item_count', ['account_id', 'class', 'shard', 'items'], counts)
    await new ItemStore(tx, ACCOUNT).insert({ ...itemOf(ROWS, 'other'), class: 'esme' })
  })
}

/** The page as it is with marks, which has to be the one that an offset gives. */
async function page(database: Database, marks: PageMarkStore, wanted: SearchQuery) {
  return database.read(async (tx) => {
    const store = new ItemStore(tx, ACCOUNT)
    const found = await store.list(wanted, FIELDS, marks)
    assert.deepEqual(found, await store.list(wanted, FIELDS))
    return found
  })
}

interface Step {
  readonly what: string
  readonly of: number
  readonly name: string
  readonly from: number
  readonly count: number
  readonly sort: string | undefined
  readonly isOfAll: boolean
}

const steps: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('nothing', 'insert', 'delete', 'rename'),
  of: fc.nat(ROWS - 1),
  name: fc.integer({ min: 0, max: 1100 }).map((n) => `m${n}`),
  from: fc.integer({ min: FAR, max: ROWS + 5 }),
  count: fc.constantFrom(1, 20, 400),
  sort: fc.constantFrom(undefined, 'ID', 'Name'),
  isOfAll: fc.boolean(),
})

for (const engine of engines) {
  describe(`a page far into a list on ${engine.name}`, () => {
    test('is the page of an offset, whatever has changed between two of them', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      await fill(database)
      const marks = new PageMarkStore()
      let next = ROWS + 1
      const step = async ({ what, of, name, from, count, sort, isOfAll }: Step) => {
        await database.write(async (tx) => {
          const store = new ItemStore(tx, ACCOUNT)
          if (what === 'insert') await store.insert(itemOf(next++, name))
          if (what === 'delete') await store.delete(itemOf(of, name))
          if (what === 'rename') await store.update(itemOf(of, name))
        })
        await page(database, marks, query(from, count, sort, isOfAll))
      }
      await fc.assert(fc.asyncProperty(steps, step), { numRuns: 60 })
    })

    test('goes on from the page before, as long as the list is the same', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      await fill(database)
      const marks = new WatchedMarks()
      const pageAt = (from: number) => page(database, marks, query(from, 20, 'Name'))
      await pageAt(FAR)
      await pageAt(FAR + 20)
      await pageAt(FAR + 20)
      await database.write((tx) => new ItemStore(tx, ACCOUNT).update(itemOf(5, 'another')))
      await pageAt(FAR + 40)
      assert.deepEqual(
        marks.found.map((mark) => mark?.at),
        [undefined, FAR + 19, FAR + 20, undefined],
      )
    })

    test('is another one when everything was replaced by as many', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      await fill(database)
      const marks = new WatchedMarks()
      await page(database, marks, query(FAR, 20))
      await database.exclusive((tx) => truncateAll(tx))
      await fill(database)
      await page(database, marks, query(FAR + 20, 20))
      assert.deepEqual(marks.found, [undefined, undefined])
    })
  })
}
