import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { parseId } from '../../kernel/ids.ts'
import { parseSearch } from '../../kernel/search-query.ts'
import { migrate } from '../../storage/migrate.ts'
import { sql } from '../../storage/sql.ts'
import { SqliteDatabase } from '../../storage/sqlite/database.ts'
import { tagsToText } from '../../storage/tags.ts'
import { TEST_NOW } from '../../testing/engines.ts'
import { LONG_WALK } from './far-page-store.ts'
import { PageMarkStore } from './page-mark-store.ts'
import { searchFields } from './search-fields.ts'
import { ItemStore, MANY } from './store.ts'

const ACCOUNT = parseId<'account'>('900000000001') ?? assert.fail()
const NEW_ACCOUNT = sql`INSERT INTO account
  (id, code, name, class, member_code, member_class, created_at)
  VALUES (${ACCOUNT}, 'acme', 'Acme', 'a', 'm', 'm', 0)`
const TAGS = tagsToText(['a', 'b'])
const SIMS = { 'Provider.Class': ['sim'] }

/** Says whether a list of an account with so many items, if their count is right, is said to take long. */
async function lister(t: TestContext, items: number) {
  const database = new SqliteDatabase(undefined)
  t.after(() => database.close())
  await migrate(database, TEST_NOW)
  await database.write((tx) =>
    tx.run(sql`INSERT INTO item_count (account_id, class, shard, items, changes)
               VALUES (${ACCOUNT}, 'sim', 0, ${items}, 0)`),
  )
  return (search: object) =>
    database.read(async (tx) => {
      let isLong = false
      tx.offload = () => {
        isLong = true
      }
      const query = parseSearch(search, undefined)
      await new ItemStore(tx, ACCOUNT).list(query, searchFields([]), new PageMarkStore())
      return isLong
    })
}

describe('a list of items takes long', () => {
  test('when it has to look at all of many', async (t) => {
    const isLong = await lister(t, MANY + 1)
    assert.equal(await isLong({ Filter: { Name: 'ab' } }), true)
    assert.equal(await isLong({ Filter: { ...SIMS, Name: 'ab' } }), true)
    assert.equal(await isLong({ Filter: SIMS, Sort: ['-ModifiedAt'] }), true)
    const few = await lister(t, MANY)
    assert.equal(await few({ Filter: { Name: 'ab' } }), false)
  })

  test('not when an index finds what is asked for', async (t) => {
    const isLong = await lister(t, MANY + 1)
    assert.equal(await isLong({}), false)
    assert.equal(await isLong({ Filter: SIMS, Sort: ['Name'] }), false)
    assert.equal(await isLong({ Filter: SIMS, Sort: ['-ID'] }), false)
    assert.equal(await isLong({ Filter: { Name: 'abc' } }), false)
  })

  test('when a page is far from both ends', async (t) => {
    const isLong = await lister(t, 3 * LONG_WALK)
    const page = (From: number) => isLong({ Filter: SIMS, Sort: ['Name'], From, Count: 1 })
    assert.equal(await page(LONG_WALK), false)
    assert.equal(await page(LONG_WALK + 1), true)
    assert.equal(await page(2 * LONG_WALK - 2), true)
    assert.equal(await page(2 * LONG_WALK - 1), false)
  })

  test('and finds the same on its thread', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-items-'))
    const database = new SqliteDatabase(join(folder, 'kumoi.db'))
    t.after(async () => {
      await database.close()
      rmSync(folder, { recursive: true })
    })
    await migrate(database, TEST_NOW)
    await database.write(async (tx) => {
      await tx.run(NEW_ACCOUNT)
      const rows = Array.from({ length: MANY + 1 }, (_, n) => {
        const name = n % 4000 === 7 ? `zq ${n}` : `meter ${n}`
        return [String(910_000_000_000 + n), ACCOUNT, 'sim', name, TAGS, 'available', n, n]
      })
      const columns = ['id', 'account_id', 'class', 'name', 'tags', 'availability']
      await tx.insertMany('item', [...columns, 'created_at', 'modified_at'], rows)
      const count = [ACCOUNT, 'sim', 0, rows.length]
      await tx.insertMany('item_count', ['account_id', 'class', 'shard', 'items'], [count])
    })
    const query = parseSearch({ Filter: { ...SIMS, Name: 'zq' }, Sort: ['-ModifiedAt'] }, undefined)
    const runs: boolean[] = []
    const found = await database.read((tx) => {
      runs.push(tx.offload === undefined)
      return new ItemStore(tx, ACCOUNT).list(query, searchFields([]), new PageMarkStore())
    })
    assert.deepEqual(runs, [false, true])
    assert.equal(found.total, 3)
    const names = found.items.map(({ name, modifiedAt }) => [name, modifiedAt.getTime()])
    assert.deepEqual(names, [
      ['zq 8007', 8007],
      ['zq 4007', 4007],
      ['zq 7', 7],
    ])
    assert.deepEqual(found.items[0]?.tags, ['a', 'b'])
    assert.equal(found.items[0]?.description, undefined)
  })
})
