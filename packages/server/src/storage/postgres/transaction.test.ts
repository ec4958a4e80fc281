import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { openEmpty as open, skip } from '../../testing/one-postgres.ts'
import type { Database, Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'

const echo = (tx: Tx, text: string, number: number | null) =>
  tx.first(sql`SELECT ${text}::text AS text, ${number}::bigint AS number, true AS yes`)

/** All connections to the database but the one that does it. */
const terminateOthers = (database: Database) =>
  database.read((tx) =>
    tx.all(
      raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND pid <> pg_backend_pid()`),
    ),
  )

describe('a transaction on PostgreSQL', { skip }, () => {
  test('gives back what it was given, however long', async (t) => {
    const database = await open(t)
    for (const text of ['', '雲 🌥 \n\t\\', 'x'.repeat(300_000)]) {
      for (const number of [0, -1, Number.MAX_SAFE_INTEGER, null]) {
        const row = await database.read((tx) => echo(tx, text, number))
        assert.deepEqual(row, { text, number, yes: true })
      }
    }
  })

  test('asks in order and without waiting', async (t) => {
    const database = await open(t)
    const rows = await database.read((tx) =>
      Promise.all(Array.from({ length: 500 }, (_, number) => echo(tx, 'x', number))),
    )
    assert.deepEqual(
      rows.map((row) => row),
      Array.from({ length: 500 }, (_, number) => ({ text: 'x', number, yes: true })),
    )
  })

  test('prepares by name what is fixed in our source, and nothing else', async (t) => {
    const database = await open(t)
    const rows = await database.read(async (tx) => {
      const all: unknown[] = []
      for (let n = 0; n < 300; n += 1) all.push(await tx.first(raw(`SELECT ${n} AS n`)))
      for (let n = 0; n < 5; n += 1) await echo(tx, 'x', n)
      return all
    })
    assert.deepEqual(
      rows,
      Array.from({ length: 300 }, (_, n) => ({ n })),
    )
    const kept = await database.read(async (tx) => {
      await echo(tx, 'x', 1)
      return tx.first<{ n: number }>(raw('SELECT count(*) AS n FROM pg_prepared_statements'))
    })
    assert.ok((kept?.n ?? 99) < 20)
  })

  test('asks for the columns of a statement once', async (t) => {
    const database = await open(t)
    const describe = t.mock.method(pg.Connection.prototype, 'describe')
    const number = (tx: Tx, n: number) => tx.all(sql`SELECT ${n}::bigint AS n UNION ALL SELECT 7`)
    for (const n of [1, 2, 3, 4]) {
      assert.deepEqual(await database.read((tx) => number(tx, n)), [{ n }, { n: 7 }])
      // The first time a text is not known to be fixed; the second time it is prepared.
      assert.equal(describe.mock.callCount(), Math.min(n, 2))
    }
  })

  test('goes on when another process has changed the tables', async (t) => {
    const [database, other] = [await open(t), await open(t)]
    await other.write((tx) => tx.run(raw('CREATE TABLE changing (a BIGINT)')))
    const read = () => database.read((tx) => tx.all(sql`SELECT * FROM changing WHERE ${1} = 1`))
    const write = () =>
      database.write(async (tx) => {
        await tx.run(raw('UPDATE changing SET a = a'))
        return tx.all(sql`INSERT INTO changing (a) VALUES (${1}) RETURNING *`)
      })
    for (const _ of [1, 2, 3]) await Promise.all([read(), read(), write()])
    await other.write((tx) => tx.run(raw('ALTER TABLE changing ADD COLUMN b BIGINT')))
    assert.equal((await read()).length, 3)
    assert.deepEqual(await write(), [{ a: 1, b: null }])
  })

  test('fails with the first error, though nobody waited for it', async (t) => {
    const database = await open(t)
    const work = database.write(async (tx) => {
      tx.run(raw('UPDATE account SET name = 1 / 0')).catch(() => undefined)
      tx.run(raw('SELECT 1 / 0')).catch(() => undefined)
      await tx.all(raw('SELECT 1'))
    })
    await assert.rejects(work, { code: '22012' })
    await database.write((tx) => tx.run(raw('UPDATE account SET name = name')))
  })

  test('is run again on another connection when its own is lost before the commit', async (t) => {
    const [database, other] = [await open(t), await open(t)]
    let runs = 0
    const seen = await database.write(async (tx) => {
      runs += 1
      await tx.run(sql`INSERT INTO encryption_check (sealed) VALUES ('once')`)
      if (runs === 1) await terminateOthers(other)
      return tx.all(raw('SELECT sealed FROM encryption_check'))
    })
    assert.deepEqual([runs, seen], [2, [{ sealed: 'once' }]])
    const read = await database.read(async (tx) => {
      runs += 1
      const row = await echo(tx, 'a', 1)
      if (runs < 6) await terminateOthers(other)
      return [row, await echo(tx, 'b', 2)]
    })
    assert.equal(read.length, 2)
  })

  test('is shared by more than there are connections', async (t) => {
    const database = await open(t)
    const rows = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        database.read((tx) => tx.first<{ n: number }>(raw(`SELECT ${n} AS n, pg_sleep(0.01)`))),
      ),
    )
    assert.deepEqual(
      rows.map((row) => row?.n),
      [...rows.keys()],
    )
  })
})
