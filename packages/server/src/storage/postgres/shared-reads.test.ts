import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { TEST_NOW } from '../../testing/engines.ts'
import { openEmpty, skip } from '../../testing/one-postgres.ts'
import type { Database, Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'

const put = (tx: Tx, code: string) =>
  tx.run(
    sql`INSERT INTO account (id, code, name, class, member_code, member_class, created_at)
        VALUES (${code}, ${code}, ${code}, 'member', 'm', 'member', ${TEST_NOW})`,
  )
const find = (tx: Tx, code: string) =>
  tx.first<{ code: string }>(
    sql`SELECT code, NULL::text AS nothing FROM account WHERE code = ${code}`,
  )
/** The same for all that share a transaction. */
const beganAt = (tx: Tx) =>
  tx.first<{ at: number }>(
    sql`SELECT CAST(extract(epoch FROM now()) * 1000000 AS BIGINT) AS at, ${0}::bigint AS nothing`,
  )
const divide = (tx: Tx, by: number) => tx.first<{ n: number }>(sql`SELECT 10 / ${by}::bigint AS n`)

async function open(t: TestContext): Promise<Database> {
  const database = await openEmpty(t)
  // From the second time on a statement is known.
  await database.read((tx) => find(tx, ''))
  await database.read(beganAt)
  await database.read((tx) => divide(tx, 1))
  return database
}

describe('reads at the same time', { skip }, () => {
  test('share a transaction, and those after a commit see it', async (t) => {
    const database = await open(t)
    const read = () => Promise.all(Array.from({ length: 30 }, () => database.read(beganAt)))
    const first = await read()
    assert.equal(new Set(first.map((row) => row?.at)).size, 1)
    const later = await read()
    assert.notEqual(later[0]?.at, first[0]?.at)
    for (const code of ['a', 'b', 'c', 'd']) {
      const others = [database.read(beganAt), database.read(beganAt)]
      await database.write((tx) => put(tx, code))
      assert.equal((await database.read((tx) => find(tx, code)))?.code, code)
      await Promise.all(others)
    }
  })

  test('get each its own row, or none', async (t) => {
    const database = await open(t)
    await database.write(async (tx) => {
      for (const code of ['a', 'b']) await put(tx, code)
    })
    const found = await Promise.all(
      ['a', 'none', 'b'].map((code) => database.read((tx) => find(tx, code))),
    )
    assert.deepEqual(found, [{ code: 'a', nothing: null }, undefined, { code: 'b', nothing: null }])
  })

  test('fail apart, whether before, after or between their statements', async (t) => {
    const database = await open(t)
    const results = await Promise.allSettled(
      [1, 0, 2, 5].map((by) =>
        database.read(async (tx) => [(await divide(tx, by))?.n, (await divide(tx, by))?.n]),
      ),
    )
    assert.deepEqual(
      results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
      [[10, 10], '22012', [5, 5], [2, 2]],
    )
    const late = await Promise.allSettled(
      [1, 0, 2].map((by) =>
        database.read(async (tx) => [(await divide(tx, 10))?.n, (await divide(tx, by))?.n]),
      ),
    )
    assert.deepEqual(
      late.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.code)),
      [[1, 10], '22012', [1, 5]],
    )
  })

  test('do not wait for one that takes long', async (t) => {
    const database = await open(t)
    const order: string[] = []
    await Promise.all([
      database.read((tx) => tx.all(raw('SELECT pg_sleep(0.3)'))).then(() => order.push('long')),
      database.read((tx) => find(tx, 'a')).then(() => order.push('short')),
    ])
    assert.deepEqual(order, ['short', 'long'])
  })

  test('see one state of things, however long they take', async (t) => {
    const database = await open(t)
    const seen = await database.read(async (tx) => {
      const before = await find(tx, 'late')
      await database.write((other) => put(other, 'late'))
      return [before, await find(tx, 'late')]
    })
    assert.deepEqual(seen, [undefined, undefined])
  })

  test('fail when a number is too large to be exact', async (t) => {
    const database = await open(t)
    const large = database.read((tx) => tx.first(raw('SELECT 9007199254740993::bigint AS n')))
    await assert.rejects(large, /9007199254740993 is not a safe integer/)
    assert.equal(await database.read((tx) => find(tx, 'a')), undefined)
  })
})
