import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { pause } from '../../kernel/clock.ts'
import { openEmpty, skip } from '../../testing/one-postgres.ts'
import type { Database, Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { truncateAll } from '../truncate.ts'

interface Thing {
  readonly id: string
  readonly text: string | null
  readonly yes: boolean | null
  readonly small: number | null
  readonly whole: number | null
  readonly large: number | null
  readonly broken: number | null
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS thing (id TEXT PRIMARY KEY, text TEXT, yes BOOLEAN, small SMALLINT,
     whole INTEGER, large BIGINT CHECK (large >= 0), broken DOUBLE PRECISION)`,
  'CREATE TABLE IF NOT EXISTS part (id TEXT PRIMARY KEY, thing_id TEXT NOT NULL REFERENCES thing (id))',
  'CREATE TABLE IF NOT EXISTS note (id TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT UNIQUE)',
]

/** 64 of them are more than a piece of what is sent has room for. */
const LONG = 'é'.repeat(2000)

const plain = (id: string): Thing => ({
  ...{ id, text: id, yes: true, small: 1 },
  ...{ whole: 2, large: 3, broken: 0.5 },
})
const insert = (tx: Tx, { id, text, yes, small, whole, large, broken }: Thing) =>
  tx.run(
    sql`INSERT INTO thing (id, text, yes, small, whole, large, broken)
        VALUES (${id}, ${text}, ${yes}, ${small}, ${whole}, ${large}, ${broken})`,
  )
const note = (tx: Tx, id: string, text: string | null = id) =>
  tx.run(sql`INSERT INTO note (id, kind, text) VALUES (${id}, 'a,{"\\}', ${text})`)
const claim = (tx: Tx, id: string, text: string) =>
  tx.run(
    sql`INSERT INTO note (id, kind, text) VALUES (${id}, 'claim', ${text})
        ON CONFLICT (text) DO NOTHING`,
  )
const part = (tx: Tx, id: string, thingId: string) =>
  tx.run(sql`INSERT INTO part (id, thing_id) VALUES (${id}, ${thingId})`)

const times = <T>(most: number, work: (index: number) => T) =>
  Array.from({ length: most }, (_, index) => work(index))
const statuses = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map(({ status }) => status)
/** A connection is given back a little after the answer; until then another one would be taken, or opened. */
const rested = async <T>(done: Promise<T>): Promise<T> => {
  const value = await done
  await pause(10)
  return value
}
const clear = (database: Database) => rested(database.replace(truncateAll))
const together = <T>(database: Database, works: readonly ((tx: Tx) => Promise<T>)[]) =>
  rested(Promise.allSettled(works.map((work) => database.write(work))))
const things = (database: Database) =>
  database.read((tx) => tx.all<Thing>(raw('SELECT * FROM thing ORDER BY id COLLATE "C"')))
/** How many statements have made the rows that are there: each of a transaction has a number. */
const statementsFor = async (database: Database, table: string) => {
  const found = await rested(
    database.read((tx) =>
      tx.first<{ n: number }>(
        raw(`SELECT count(DISTINCT (xmin::text, cmin::text)) AS n FROM ${table}`),
      ),
    ),
  )
  return found?.n
}

/**
 * What is done together has to be known to the connection from doing it one by one, and which of its connections
 * the database takes is its own affair: so it is done until each of them knows it.
 */
async function open(t: TestContext): Promise<Database> {
  const database = await openEmpty(t)
  await database.replace(async (tx) => {
    for (const text of TABLES) await tx.run(raw(text))
  })
  for (let inRow = 0, round = 0; inRow < 5; round += 1) {
    assert.ok(round < 50)
    await clear(database)
    const results = await together(
      database,
      times(2, (index) => async (tx) => {
        await insert(tx, plain(`a${index}`))
        await note(tx, `a${index}`)
        await claim(tx, `b${index}`, `b${index}`)
      }),
    )
    assert.deepEqual(statuses(results), ['fulfilled', 'fulfilled'])
    inRow = (await statementsFor(database, 'thing')) === 1 ? inRow + 1 : 0
  }
  await clear(database)
  return database
}

describe('inserts with the same text', { skip }, () => {
  for (const most of [2, 64, 65]) {
    test(`of ${most} works are one statement a group`, async (t) => {
      const database = await open(t)
      const results = await together(
        database,
        times(most, (index) => (tx) => insert(tx, { ...plain(`a${index}`), text: LONG })),
      )
      assert.deepEqual(
        results,
        times(most, () => ({ status: 'fulfilled', value: 1 })),
      )
      assert.equal((await things(database)).length, most)
      assert.equal(await statementsFor(database, 'thing'), most > 64 ? 2 : 1)
    })
  }

  test('of one work alone are as they were', async (t) => {
    const database = await open(t)
    await database.write((tx) => insert(tx, plain('a')))
    assert.deepEqual(await things(database), [plain('a')])
  })

  test('keep every value as it is', async (t) => {
    const database = await open(t)
    const texts = [
      ...['', ' ', 'NULL', 'null', '{}', '{a,b}', ',', '"', '""', "'", "''", '\\', '\\\\', '\\N'],
      ...['\t\n\r', '$1', '日本語', '😀', '\uffff', '\ufffe', '\u0001', 'x'.repeat(7000)],
    ]
    const rows: Thing[] = texts.map((text, index) => ({
      ...{ id: `t${String(index).padStart(2, '0')}`, text, yes: index % 2 === 0, small: 5 - index },
      ...{ whole: 2 ** 31 - 1 - index, large: Number.MAX_SAFE_INTEGER - index },
      broken: index / 7,
    }))
    const none = { text: null, yes: null, small: null, whole: null, large: null, broken: null }
    rows.push({ id: 'u', ...none }, { ...plain('v'), broken: 1e300 }, { ...plain('w'), large: 0 })
    const results = await together(
      database,
      rows.map((row) => (tx) => insert(tx, row)),
    )
    assert.ok(results.every(({ status }) => status === 'fulfilled'))
    assert.deepEqual(await things(database), rows)
    assert.equal(await statementsFor(database, 'thing'), 1)
  })

  test('fail apart: each is told its own error and the others are carried out', async (t) => {
    const database = await open(t)
    await database.write((tx) => insert(tx, plain('taken')))
    const rows = ['a', 'taken', 'b', 'check', 'c', 'a'].map((id) => ({
      ...plain(id),
      large: id === 'check' ? -1 : 1,
    }))
    const results = await together(
      database,
      rows.map((row) => (tx) => insert(tx, row)),
    )
    const told = results.map((one) => (one.status === 'rejected' ? one.reason.code : one.value))
    assert.deepEqual(told.slice(1, 5), ['23505', 1, '23514', 1])
    // Either of the two that want the same may have been first.
    assert.deepEqual([told[0], told[5]].sort(), [1, '23505'])
    assert.deepEqual(
      (await things(database)).map(({ id }) => id),
      ['a', 'b', 'c', 'taken'],
    )
  })

  test('say who lost a race for one thing', async (t) => {
    const database = await open(t)
    const wins = await Promise.all(
      ['x', 'y', 'x', 'z', 'y'].map((text, index) =>
        database.write((tx) => claim(tx, String(index), text)),
      ),
    )
    assert.equal(
      wins.reduce((sum, won) => sum + won, 0),
      3,
    )
  })

  test('give those who run again the numbers that they had', async (t) => {
    const database = await open(t)
    await database.write((tx) => note(tx, 'taken'))
    const before = await database.write((tx) => tx.next('outbox'))
    const numbered = ['a', 'taken', 'b', 'c'].map((id) => async (tx: Tx) => {
      const number = await tx.next('outbox')
      await note(tx, id)
      return number
    })
    const results = await together(database, numbered)
    const after = await database.write((tx) => tx.next('outbox'))
    assert.deepEqual(statuses(results), ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
    assert.equal(after, before + 5)
  })

  test('are one statement, too, for what is wished for under several names', async (t) => {
    const database = await open(t)
    const wish = (name: string, id: string) => (tx: Tx) =>
      tx.later(
        name,
        1,
        (
          all,
        ) => sql`INSERT INTO note (id, kind, text) VALUES (${id}, 'wish', ${`${id}${all.length}`})
                     ON CONFLICT (id) DO UPDATE SET text = note.text || excluded.text`,
      )
    const notes = () =>
      rested(database.read((tx) => tx.all(raw('SELECT id, text FROM note ORDER BY id'))))
    for (const _ of times(8, Number)) {
      await clear(database)
      await together(database, [wish('a', 'a'), wish('b', 'b'), wish('a', 'a'), wish('c', 'c')])
      assert.deepEqual(await notes(), [
        { id: 'a', text: 'a2' },
        { id: 'b', text: 'b1' },
        { id: 'c', text: 'c1' },
      ])
    }
    assert.equal(await statementsFor(database, 'note'), 1)
    // Two names for one row: a statement may change it only once.
    await together(database, [wish('a', 'a'), wish('x', 'a'), wish('b', 'b')])
    assert.deepEqual((await notes()).slice(0, 2), [
      { id: 'a', text: 'a2a1a1' },
      { id: 'b', text: 'b1b1' },
    ])
  })

  test('keep the order of the works when a row refers to one of another work', async (t) => {
    const database = await open(t)
    const chain = (id: string, other: string) => async (tx: Tx) => {
      await insert(tx, plain(id))
      await part(tx, `part of ${other}`, other)
    }
    for (const round of [1, 2, 3]) {
      const own = await together(
        database,
        times(4, (index) => chain(`${round} ${index}`, `${round} ${index}`)),
      )
      assert.ok(own.every(({ status }) => status === 'fulfilled'))
    }
    // One after the other neither can be; at the same time both could.
    const crossed = await together(database, [chain('a', 'b'), chain('b', 'a')])
    assert.deepEqual(statuses(crossed), ['rejected', 'rejected'])
    const missing = await together(database, [chain('c', 'c'), chain('d', 'none'), chain('e', 'e')])
    assert.deepEqual(statuses(missing), ['fulfilled', 'rejected', 'fulfilled'])
  })

  test('keep the order of the works when one changes what another inserts', async (t) => {
    const database = await open(t)
    const cross = (id: string, other: string) => async (tx: Tx) => {
      await note(tx, id)
      await tx.run(
        sql`INSERT INTO note (id, kind) VALUES (${other}, 'b')
            ON CONFLICT (id) DO UPDATE SET kind = excluded.kind`,
      )
    }
    for (const round of [1, 2, 3]) {
      const results = await together(database, [
        cross(`a${round}`, `b${round}`),
        cross(`b${round}`, `a${round}`),
      ])
      assert.deepEqual(statuses(results).sort(), ['fulfilled', 'rejected'])
    }
  })

  test('keep the order of the works when one has looked at what another changes', async (t) => {
    const database = await open(t)
    const counted = (id: string) => async (tx: Tx) => {
      const row = await tx.first<{ n: number }>(sql`SELECT count(*) AS n FROM note`)
      await note(tx, id)
      return row?.n
    }
    const results = await together(database, [
      counted('a'),
      (tx) => note(tx, 'b'),
      counted('c'),
      (tx) => note(tx, 'd'),
    ])
    assert.ok(results.every(({ status }) => status === 'fulfilled'))
    const seen = [results[0], results[2]].map((one) => one?.status === 'fulfilled' && one.value)
    assert.equal(new Set(seen).size, 2)
    assert.equal(await statementsFor(database, 'note'), 4)
  })
})
