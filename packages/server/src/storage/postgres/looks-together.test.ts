import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { openEmpty, skip } from '../../testing/one-postgres.ts'
import type { Database, Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { truncateAll } from '../truncate.ts'
import { lookForAll } from './for-all.ts'

const TEXT = 25
const BIGINT = 20

const TABLE = `CREATE TABLE IF NOT EXISTS thing (id TEXT NOT NULL, place BIGINT NOT NULL, text TEXT)`
const INDEX = 'CREATE INDEX IF NOT EXISTS thing_by_id ON thing (id, place)'

interface Row {
  readonly place: number
  readonly text: string | null
  readonly asked: string | null
}

const look = (id: string, place: number) =>
  sql`SELECT place, text, ${id} AS asked FROM thing WHERE id = ${id} AND place >= ${place}
      ORDER BY place DESC LIMIT ${3} OFFSET ${0}`
/** Says which statement it is asked with. */
const company = (id: string) => sql`SELECT ${id} AS id, current_query() AS text`
const insert = (tx: Tx, id: string, place: number, text: string | null) =>
  tx.run(sql`INSERT INTO thing (id, place, text) VALUES (${id}, ${place}, ${text})`)

const times = <T>(most: number, work: (index: number) => T) =>
  Array.from({ length: most }, (_, index) => work(index))

/** What is asked together has to be known to the connection, whichever it is, from asking it one by one. */
async function open(t: TestContext): Promise<Database> {
  const database = await openEmpty(t)
  await database.replace(async (tx) => {
    await tx.run(raw(TABLE))
    await tx.run(raw(INDEX))
  })
  for (let inRow = 0, round = 0; inRow < 5; round += 1) {
    assert.ok(round < 50)
    await database.replace(truncateAll)
    const looks = times(2, () => (tx: Tx) => tx.all(look('a', 0)))
    await Promise.all(looks.map((work) => database.write(work)))
    inRow = (await areTogether(database, 2)) ? inRow + 1 : 0
  }
  return database
}

async function areTogether(database: Database, most: number): Promise<boolean> {
  const rows = await Promise.all(
    times(most, (index) =>
      database.write((tx) => tx.first<{ text: string }>(company(String(index)))),
    ),
  )
  return rows.every((row) => row?.text.includes('unnest'))
}

describe('looks with the same text', { skip }, () => {
  for (const most of [2, 64, 65]) {
    test(`give each of ${most} works its own rows, in their order`, async (t) => {
      const database = await open(t)
      await database.write(async (tx) => {
        for (const index of times(most, Number)) {
          for (const place of times(index % 5, Number)) await insert(tx, `a${index}`, place, null)
        }
      })
      const found = await Promise.all(
        times(most, (index) => database.write((tx) => tx.all<Row>(look(`a${index}`, 0)))),
      )
      const expected = times(most, (index) =>
        times(index % 5, Number)
          .reverse()
          .slice(0, 3)
          .map((place) => ({ place, text: null, asked: `a${index}` })),
      )
      assert.deepEqual(found, expected)
    })
  }

  test('of more works than one are one statement', async (t) => {
    const database = await open(t)
    assert.equal(await areTogether(database, 64), true)
    assert.equal(await areTogether(database, 1), false)
  })

  test('take every value as it is', async (t) => {
    const database = await open(t)
    const texts = [
      '',
      ' ',
      'NULL',
      '{a,b}',
      ',',
      '"',
      "'",
      '\\',
      '\\N',
      '$1',
      '日本語',
      '😀',
      '\uffff',
    ]
    await database.write(async (tx) => {
      for (const [place, text] of texts.entries()) await insert(tx, text, place, text)
    })
    const found = await Promise.all(
      texts.map((text, place) => database.write((tx) => tx.all<Row>(look(text, place)))),
    )
    assert.deepEqual(
      found,
      texts.map((text, place) => [{ place, text, asked: text }]),
    )
  })

  test('fail apart', async (t) => {
    const database = await open(t)
    const divide = (by: number | null) => (tx: Tx) =>
      tx.first<{ n: number | null }>(sql`SELECT 10 / ${by}::bigint AS n`)
    for (const _ of times(4, Number)) {
      const results = await Promise.allSettled(
        [1, 0, null, 5].map((by) => database.write(divide(by))),
      )
      assert.deepEqual(
        results.map((one) => (one.status === 'fulfilled' ? one.value?.n : one.reason.code)),
        [10, '22012', null, 2],
      )
    }
  })

  test('are asked one by one when the server does not take them together', async (t) => {
    const database = await open(t)
    // Outside of its own query a sum of what comes from there is a sum of that.
    const sum = (value: number) => (tx: Tx) =>
      tx.first<{ n: number }>(
        sql`SELECT sum(${value}::bigint) AS n FROM schema_migration WHERE false`,
      )
    for (const _ of times(4, Number)) {
      const sums = await Promise.all([1, 2, 3].map((value) => database.write(sum(value))))
      assert.deepEqual(
        sums,
        times(3, () => ({ n: null })),
      )
    }
  })

  test('are compared with what the same look gives in its turn', async (t) => {
    const database = await open(t)
    const add = (id: string) => async (tx: Tx) => {
      const [last] = await tx.all<Row>(look(id, 0))
      await insert(tx, id, (last?.place ?? 0) + 1, null)
    }
    const transactions = () =>
      database.read((tx) => tx.all(raw('SELECT count(DISTINCT xmin::text) AS n FROM thing')))
    await Promise.all(['x', 'y', 'z'].map((id) => database.write(add(id))))
    assert.deepEqual(await transactions(), [{ n: 1 }])
    await Promise.all(['a', 'b', 'a', 'c', 'b', 'a'].map((id) => database.write(add(id))))
    const rows = await database.read((tx) =>
      tx.all(raw(`SELECT id, place FROM thing WHERE id < 'x' ORDER BY 1, 2`)),
    )
    const expected = [...'aaabbc'].map((id, index) => ({ id, place: [1, 2, 3, 1, 2, 1][index] }))
    assert.deepEqual(rows, expected)
  })

  test('find their rows by the index, however little is known of the table', async (t) => {
    const database = await open(t)
    await database.replace(async (tx) => {
      await tx.run(raw('ALTER TABLE thing SET (autovacuum_enabled = false)'))
      await tx.run(raw(`INSERT INTO thing SELECT n, n, n FROM generate_series(1, 20000) AS n`))
    })
    const forAll = lookForAll(look('', 0), [TEXT, TEXT, BIGINT, BIGINT, BIGINT])
    const plan = await database.write(async (tx) => {
      await tx.run(raw('SET LOCAL plan_cache_mode = force_generic_plan'))
      await tx.run(raw(`PREPARE looked AS ${forAll?.chunks[0]}`))
      const values = times(5, () => `ARRAY['1', '2']`).join(', ')
      return tx.all<Record<string, string>>(raw(`EXPLAIN EXECUTE looked (${values})`))
    })
    const text = plan.flatMap((row) => Object.values(row)).join('\n')
    assert.match(text, /Index .*using thing_by_id/)
    assert.doesNotMatch(text, /Seq Scan/)
  })
})
