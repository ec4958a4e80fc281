import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Conflict } from '../kernel/errors.ts'
import { engines, TEST_NOW, type TestEngine } from '../testing/engines.ts'
import type { Database, Tx } from './database.ts'
import { migrate, schemaOf } from './migrate.ts'
import { list, raw, sql } from './sql.ts'
import { tableNames, truncateAll } from './truncate.ts'

async function open(t: TestContext, engine: TestEngine): Promise<Database> {
  const database = await engine.open()
  t.after(() => database.close())
  return database
}

const put = (tx: Tx, code: string) =>
  tx.run(
    sql`INSERT INTO account (id, code, name, class, member_code, member_class, created_at)
        VALUES (${code}, ${code}, ${code}, 'member', 'm', 'member', ${TEST_NOW})
        ON CONFLICT DO NOTHING`,
  )

const codes = async (database: Database) =>
  database.read(async (tx) =>
    (await tx.all<{ code: string }>(raw('SELECT code FROM account ORDER BY code'))).map(
      (row) => row.code,
    ),
  )

for (const engine of engines) {
  describe(`a transaction on ${engine.name}`, () => {
    test('is all or nothing, whatever else is written at the same time', async (t) => {
      const database = await open(t, engine)
      const results = await Promise.allSettled(
        Array.from({ length: 40 }, (_, index) =>
          database.write(async (tx) => {
            await put(tx, `a${String(index).padStart(2, '0')}`)
            if (index % 2 === 1) throw new Conflict('no', 'no')
            await put(tx, `b${String(index).padStart(2, '0')}`)
          }),
        ),
      )
      assert.equal(results.filter(({ status }) => status === 'rejected').length, 20)
      const found = await codes(database)
      assert.equal(found.length, 40)
      assert.ok(found.every((code) => Number(code.slice(1)) % 2 === 0))
    })

    test('tells the number of changed rows', async (t) => {
      const database = await open(t, engine)
      await database.write(async (tx) => {
        assert.equal(await put(tx, 'a'), 1)
        assert.equal(await put(tx, 'a'), 0)
        assert.equal(
          await tx.run(sql`UPDATE account SET name = 'x' WHERE code IN ${list(['a', 'b'])}`),
          1,
        )
        assert.equal(await tx.run(sql`DELETE FROM account WHERE code IN ${list([])}`), 0)
      })
    })

    test('takes many rows at once, whatever is in them', async (t) => {
      const database = await open(t, engine)
      const odd = ['plain', 'tab\there', 'line\nbreak\r', String.raw`back\slash \N \.`, '雲 🌥', '']
      const rows = Array.from({ length: 2500 }, (_, n) => [`job ${n}`, odd[n % 6] ?? '', n, null])
      const columns = ['name', 'summary', 'runs', 'owner', 'leased_until', 'failures']
      await database.write((tx) =>
        tx.insertMany(
          'job',
          columns,
          rows.map((row) => [...row, 0, 0]),
        ),
      )
      const read = await database.read((tx) =>
        tx.all<Record<string, unknown>>(raw('SELECT name, summary, runs, owner FROM job')),
      )
      const sorted = read.toSorted((a, b) => Number(a.runs) - Number(b.runs))
      assert.deepEqual(
        sorted.map((row) => Object.values(row)),
        rows,
      )
    })

    test('runs its effects after the commit, and none when it fails', async (t) => {
      const database = await open(t, engine)
      const seen: string[] = []
      await database.write(async (tx) => {
        tx.afterCommit(() => seen.push('kept'))
        await put(tx, 'a')
        assert.deepEqual(seen, [])
      })
      await assert.rejects(
        database.write(async (tx) => {
          tx.afterCommit(() => seen.push('lost'))
          throw new Conflict('no', 'no')
        }),
        Conflict,
      )
      assert.deepEqual(seen, ['kept'])
    })

    test('settles a race by the constraint: exactly one wins', async (t) => {
      const database = await open(t, engine)
      const wins = await Promise.all(
        Array.from({ length: 30 }, () => database.write((tx) => put(tx, 'only'))),
      )
      assert.equal(
        wins.reduce((sum, won) => sum + won, 0),
        1,
      )
    })

    test('is serializable: two that read before they write do not both succeed blindly', async (t) => {
      const database = await open(t, engine)
      await database.write((tx) => put(tx, 'counter'))
      const add = () =>
        database.write(async (tx) => {
          const row = await tx.first<{ name: string }>(
            sql`SELECT name FROM account WHERE code = 'counter'`,
          )
          const next = String(Number(row?.name.replace('counter', '') ?? 0) + 1)
          await tx.run(sql`UPDATE account SET name = ${next} WHERE code = 'counter'`)
        })
      await Promise.all(Array.from({ length: 12 }, add))
      const row = await database.read((tx) =>
        tx.first<{ name: string }>(sql`SELECT name FROM account WHERE code = 'counter'`),
      )
      assert.equal(row?.name, '12')
    })

    test('reads only what is committed', async (t) => {
      const database = await open(t, engine)
      const slow = database.write(async (tx) => {
        await put(tx, 'a')
        await put(tx, 'b')
      })
      assert.ok([0, 2].includes((await codes(database)).length))
      await slow
      assert.deepEqual(await codes(database), ['a', 'b'])
    })

    test('orders text by bytes and folds only ASCII', async (t) => {
      const database = await open(t, engine)
      await database.write(async (tx) => {
        for (const code of ['b', 'B', 'a', 'é', 'É', 'Z']) await put(tx, code)
      })
      assert.deepEqual(await codes(database), ['B', 'Z', 'a', 'b', 'É', 'é'])
      const folded = await database.read((tx) =>
        tx.all<{ code: string }>(
          raw("SELECT code FROM account WHERE lower(code) IN ('b', 'é') ORDER BY code"),
        ),
      )
      assert.deepEqual(
        folded.map(({ code }) => code),
        ['B', 'b', 'é'],
      )
    })
  })

  describe(`a sequence on ${engine.name}`, () => {
    test('counts up from the first made id and passes over what is reserved', async (t) => {
      const database = await open(t, engine)
      const next = () => database.write((tx) => tx.next('resource'))
      assert.equal(await next(), 910_000_000_000)
      assert.equal(await next(), 910_000_000_001)
      await database.write((tx) => tx.reserve('resource', 910_000_000_500))
      assert.equal(await next(), 910_000_000_501)
      await database.write((tx) => tx.reserve('resource', 900_000_000_001))
      assert.equal(await next(), 910_000_000_502)
    })
  })

  describe(`migrate on ${engine.name}`, () => {
    test('applies nothing a second time', async (t) => {
      const database = await open(t, engine)
      assert.equal(await migrate(database, TEST_NOW), 0)
    })

    test('lets two processes start at once', async (t) => {
      const database = await open(t, engine)
      assert.deepEqual(
        await Promise.all([migrate(database, TEST_NOW), migrate(database, TEST_NOW)]),
        [0, 0],
      )
    })

    test('runs on a database that a newer version has added to, for the way back', async (t) => {
      const database = await open(t, engine)
      await database.write((tx) =>
        tx.run(sql`INSERT INTO schema_migration VALUES (9999, '9999-more.sql', 'x', ${TEST_NOW})`),
      )
      assert.equal(await migrate(database, TEST_NOW), 0)
      const { applied, known } = await database.read(schemaOf)
      assert.equal(applied, 9999)
      assert.ok(known < 9999)
    })

    test('refuses a database that a newer version has taken something from', async (t) => {
      const database = await open(t, engine)
      const name = '9999-less.contract.sql'
      await database.write((tx) =>
        tx.run(sql`INSERT INTO schema_migration VALUES (9999, ${name}, 'x', ${TEST_NOW})`),
      )
      await assert.rejects(migrate(database, TEST_NOW), /schema 9999, made by a newer Kumoi/)
    })

    test('refuses a migration that was applied in another form', async (t) => {
      const database = await open(t, engine)
      await database.write((tx) =>
        tx.run(sql`UPDATE schema_migration SET checksum = 'x' WHERE version = 2`),
      )
      await assert.rejects(
        migrate(database, TEST_NOW),
        /0002-accounts\.sql was applied in another form/,
      )
    })
  })

  describe(`truncateAll on ${engine.name}`, () => {
    test('empties every table there is', async (t) => {
      const database = await open(t, engine)
      await database.write((tx) => put(tx, 'a'))
      await database.write(truncateAll)
      const counts = await database.read(async (tx) => {
        const names = await tableNames(tx)
        assert.ok(names.includes('account') && names.includes('item') && names.includes('outbox'))
        return Promise.all(
          names.map((name) => tx.first<{ n: number }>(raw(`SELECT count(*) AS n FROM "${name}"`))),
        )
      })
      assert.ok(counts.every((row) => row?.n === 0))
    })
  })
}
