import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unavailable } from '../../kernel/errors.ts'
import { afterLoss } from '../../testing/after-loss.ts'
import { openEmpty as open, skip } from '../../testing/one-postgres.ts'
import type { Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'

const echo = (tx: Tx, text: string, number: number | null) =>
  tx.first(sql`SELECT ${text}::text AS text, ${number}::bigint AS number, true AS yes`)

describe('a connection to PostgreSQL', { skip }, () => {
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

  test('lets statements go that are too many to be kept', async (t) => {
    const database = await open(t)
    const ask = (tx: Tx, n: number) => tx.first<{ n: number }>(raw(`SELECT ${n} AS n`))
    for (const _ of [1, 2]) {
      const rows = await database.read(async (tx) => {
        const all: (number | undefined)[] = []
        for (let n = 0; n < 450; n += 1) all.push((await ask(tx, n))?.n)
        return all
      })
      assert.deepEqual(rows, [...rows.keys()])
    }
    const kept = await database.read((tx) =>
      tx.first<{ n: number }>(raw('SELECT count(*) AS n FROM pg_prepared_statements')),
    )
    assert.ok((kept?.n ?? 0) <= 210)
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

  test('is 503 for a read when the server goes away', async (t) => {
    const [database, other] = [await open(t), await open(t)]
    const killed = database.read(async (tx) => {
      await echo(tx, 'a', 1)
      await other.read((reader) =>
        reader.all(
          raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()`),
        ),
      )
      return echo(tx, 'b', 2)
    })
    await assert.rejects(killed, Unavailable)
    const row = await afterLoss(() => database.read((tx) => echo(tx, 'c', 3)))
    assert.deepEqual(row, { text: 'c', number: 3, yes: true })
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
