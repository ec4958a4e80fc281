import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { TEST_NOW } from '../testing/engines.ts'
import type { Tx } from './database.ts'
import { migrate } from './migrate.ts'
import { raw, sql } from './sql.ts'
import { SqliteDatabase } from './sqlite/database.ts'

function open(t: TestContext): SqliteDatabase {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-together-'))
  const database = new SqliteDatabase(join(folder, 'kumoi.db'))
  t.after(async () => {
    await database.close()
    rmSync(folder, { recursive: true })
  })
  return database
}

const TABLES = [
  'CREATE TABLE parent (key INTEGER PRIMARY KEY, n INTEGER NOT NULL)',
  'CREATE TABLE child (key INTEGER PRIMARY KEY REFERENCES parent (key), n INTEGER NOT NULL)',
  'CREATE TABLE total (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)',
]

type Table = 'parent' | 'child'
interface Step {
  readonly do: 'look' | 'raise' | 'clear' | 'insert' | 'offer' | 'put' | 'wish' | 'fail'
  readonly table: Table
  readonly key: number
  readonly n: number
}

/** What a work has seen, or that it was refused. */
type Outcome = readonly unknown[] | 'failed'

const KEYS = 3
const NAMES = { parent: raw('parent'), child: raw('child') }
const step: fc.Arbitrary<Step> = fc.record({
  do: fc.constantFrom(
    ...(['look', 'look', 'insert', 'offer', 'offer', 'wish', 'wish'] as const),
    ...(['put', 'raise', 'clear', 'fail'] as const),
  ),
  table: fc.constantFrom('parent', 'child'),
  key: fc.integer({ min: 1, max: KEYS }),
  n: fc.integer({ min: 1, max: 2 }),
})

/** Each pair would end as no order of the two could. */
const CROSSWISE = [
  'look parent 1, insert parent 1; look parent 1, insert parent 2',
  'insert parent 1, insert child 2; insert parent 2, insert child 1',
  'insert parent 1, offer parent 2; insert parent 2, offer parent 1',
  'put parent 1 1, put parent 2 1; put parent 2 2, put parent 1 2',
  'insert parent 1, look child 1; insert child 3, look parent 1',
].map((pair) => pair.split('; ').map((work) => work.split(', ').map(stepFrom)))

function stepFrom(text: string): Step {
  const [what, where, key, n = 0] = text.split(' ')
  // The texts above are the only ones.
  return { do: what as Step['do'], table: where as Table, key: Number(key), n: Number(n) }
}

async function perform(tx: Tx, steps: readonly Step[]): Promise<unknown[]> {
  const seen: unknown[] = []
  for (const one of steps) seen.push(await take(tx, one))
  return seen
}

function take(tx: Tx, one: Step): Promise<unknown> {
  if (one.do === 'fail') return Promise.reject(new Error('refused'))
  if (one.do === 'wish') {
    return tx.later(
      'total',
      1,
      (all) => sql`INSERT INTO total VALUES (1, ${all.length})
                   ON CONFLICT (id) DO UPDATE SET n = n + excluded.n`,
    )
  }
  const name = NAMES[one.table]
  if (one.do === 'look') return tx.all(sql`SELECT key, n FROM ${name} ORDER BY key`)
  if (one.do === 'raise') return tx.run(sql`UPDATE ${name} SET n = n + 1`)
  if (one.do === 'clear') return tx.run(sql`DELETE FROM ${name}`)
  if (one.do === 'insert') {
    return tx.run(sql`INSERT INTO ${name} (key, n) VALUES (${one.key}, ${0})`)
  }
  if (one.do === 'offer') {
    return tx.run(
      sql`INSERT INTO ${name} (key, n) VALUES (${one.key}, ${0}) ON CONFLICT DO NOTHING`,
    )
  }
  return tx.run(
    sql`INSERT INTO ${name} (key, n) VALUES (${one.key}, ${0}) ON CONFLICT (key) DO UPDATE SET n = ${one.n}`,
  )
}

async function state(database: SqliteDatabase): Promise<unknown> {
  return database.read(async (tx) => [
    await tx.all(sql`SELECT * FROM parent ORDER BY key`),
    await tx.all(sql`SELECT * FROM child ORDER BY key`),
    await tx.all(sql`SELECT * FROM total`),
  ])
}

async function reset(database: SqliteDatabase): Promise<void> {
  await database.write(async (tx) => {
    for (const name of ['child', 'parent', 'total']) await tx.run(raw(`DELETE FROM ${name}`))
    await tx.run(sql`INSERT INTO parent (key, n) VALUES (${KEYS}, ${0})`)
  })
}

function outcomeOf(settled: PromiseSettledResult<unknown[]>): Outcome {
  return settled.status === 'fulfilled' ? settled.value : 'failed'
}

/** All orders of the works, and what each of them leads to when they run one after the other. */
async function* oneByOne(database: SqliteDatabase, works: readonly (readonly Step[])[]) {
  for (const order of permutations(works.map((_, index) => index))) {
    await reset(database)
    const outcomes: Outcome[] = []
    for (const index of order) {
      const run = database.write((tx) => perform(tx, works[index] ?? []))
      const [settled] = await Promise.allSettled([run])
      outcomes[index] = outcomeOf(settled)
    }
    yield JSON.stringify([outcomes, await state(database)])
  }
}

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]]
  return list.flatMap((first, index) =>
    permutations(list.toSpliced(index, 1)).map((rest) => [first, ...rest]),
  )
}

describe('writes that run together', () => {
  test('end as if they had run one after the other', async (t) => {
    const database = open(t)
    await database.write(async (tx) => {
      for (const one of TABLES) await tx.run(raw(one))
    })
    const works = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), {
      minLength: 2,
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(works, async (all) => {
        await reset(database)
        const settled = await Promise.allSettled(
          all.map((steps) => database.write((tx) => perform(tx, steps))),
        )
        const ended = JSON.stringify([settled.map(outcomeOf), await state(database)])
        for await (const one of oneByOne(database, all)) if (one === ended) return
        assert.fail(`no order of the works leads to ${ended}`)
      }),
      { numRuns: 300, examples: CROSSWISE.map((pair) => [pair]) },
    )
  })

  test('take each step one after the other', async (t) => {
    const { database, order, work } = await steps(t)
    const insert = sql`INSERT INTO total (id, n) VALUES (${1}, ${0}) ON CONFLICT DO NOTHING`
    await Promise.all(['a', 'b'].map((name) => database.write(work(name, [LOOK, LOOK]))))
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2'])
    order.length = 0
    await Promise.all([
      database.write(work('a', [raw('SELECT n FROM total'), raw('UPDATE total SET n = 0')])),
      database.write(work('b', [LOOK, insert])),
    ])
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2', 'a1', 'a2'], 'a begins anew after b')
  })

  test('are not tried for a while when others that began alike did not fit', async (t) => {
    const { database, order, work } = await steps(t)
    const begin = () => sql`SELECT n FROM total WHERE id = ${7}`
    const change = () => raw('UPDATE total SET n = n + 1')
    await Promise.all([1, 2].map(() => database.write(work('x', [begin()]))))
    for (let round = 0; round < 3; round += 1) {
      order.length = 0
      await Promise.all(['a', 'b'].map((name) => database.write(work(name, [begin(), change()]))))
    }
    assert.deepEqual(order, ['a1', 'b1', 'a2', 'b2'], 'each waits with its first step')
  })

  test('lose no number when one of them begins anew', async (t) => {
    const database = open(t)
    await migrate(database, TEST_NOW)
    const bill = () =>
      database.write(async (tx) => {
        const number = await tx.next('bill')
        await tx.run(sql`UPDATE account SET name = ${''}`)
        return number
      })
    const first = await bill()
    const numbers = await Promise.all([bill(), bill(), bill()])
    assert.deepEqual(numbers.toSorted(), [first + 1, first + 2, first + 3])
  })

  test('can rely on inserts that change their own table alone', async (t) => {
    const database = open(t)
    await migrate(database, TEST_NOW)
    const triggers = await database.read((tx) =>
      tx.all<{ sql: string }>(raw("SELECT sql FROM sqlite_schema WHERE type = 'trigger'")),
    )
    assert.ok(triggers.length > 0)
    assert.deepEqual(
      triggers.filter((trigger) => /\bINSERT ON\b/i.test(trigger.sql)),
      [],
    )
  })
})

const LOOK = raw('SELECT 1')

/** Works that note each of their steps. */
async function steps(t: TestContext) {
  const database = open(t)
  await database.write(async (tx) => {
    for (const one of TABLES) await tx.run(raw(one))
  })
  const order: string[] = []
  const work = (name: string, list: readonly ReturnType<typeof raw>[]) => async (tx: Tx) => {
    for (const [index, one] of list.entries()) {
      order.push(`${name}${index + 1}`)
      if (/^SELECT/.test(one.chunks[0] ?? '')) await tx.all(one)
      else await tx.run(one)
    }
  }
  return { database, order, work }
}
