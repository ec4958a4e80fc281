import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Conflict, Unavailable } from '../../kernel/errors.ts'
import { afterLoss } from '../../testing/after-loss.ts'
import { openEmpty as open, skip } from '../../testing/one-postgres.ts'
import type { Database, Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { PostgresError } from './error.ts'

const AT_ONCE = 100
const times = <T>(most: number, work: (index: number) => T) =>
  Array.from({ length: most }, (_, index) => work(index))

const read = async (tx: Tx) =>
  (await tx.first<{ items: number }>(sql`SELECT items FROM item_count WHERE shard = ${0}`))?.items

/** Loses what another adds meanwhile, unless they run one after the other. */
async function addOne(tx: Tx): Promise<string> {
  const items = (await read(tx)) ?? 0
  await tx.run(sql`UPDATE item_count SET items = ${items + 1} WHERE shard = 0`)
  const found = await tx.first<{ id: string }>(sql`SELECT txid_current()::text AS id`)
  return found?.id ?? ''
}

async function prepare(database: Database): Promise<void> {
  await database.write(async (tx) => {
    await tx.run(
      raw(`INSERT INTO account (id, code, name, class, member_code, member_class, created_at)
           VALUES ('a', 'a', 'a', 'member', 'm', 'member', 0)`),
    )
    await tx.run(
      raw(`INSERT INTO item_count (account_id, class, shard, items) VALUES ('a', 'sim', 0, 0)`),
    )
  })
}

/** Makes the kind known to collide: each of these has seen what is not so any more when it writes. */
async function collide(database: Database, other: Database): Promise<void> {
  const others: Promise<unknown>[] = []
  const addByOther = () => {
    const added = other.write((tx) => addOne(tx))
    others.push(added)
    return added
  }
  // The first time the statement is not known by its place in the source yet.
  for (const _ of times(3, () => 0)) {
    let attempts = 0
    await database.write(async (tx) => {
      const items = (await read(tx)) ?? 0
      attempts += 1
      if (attempts < 3) await addByOther()
      await tx.run(sql`UPDATE item_count SET items = ${items} WHERE shard = 0`)
    })
  }
  // An attempt that was given up may still wait for its one.
  await Promise.all(others)
}

async function inLine(t: TestContext) {
  const [database, other] = [await open(t), await open(t)]
  await prepare(database)
  await collide(database, other)
  return { database, other, before: (await database.read(read)) ?? 0 }
}

const addAtOnce = (database: Database, most: number) =>
  Promise.all(times(most, () => database.write((tx) => addOne(tx))))

describe('writes that change the same row', { skip }, () => {
  test('add up, and share transactions once they have collided', async (t) => {
    const { database, before } = await inLine(t)
    const transactions = new Set(await addAtOnce(database, AT_ONCE)).size
    assert.ok(transactions <= 10, `${transactions} transactions`)
    assert.equal(await database.read(read), before + AT_ONCE)
  })

  test('add up while it is found out that they collide, and between two processes', async (t) => {
    const databases = [await open(t), await open(t)] as const
    await prepare(databases[0])
    for (const _ of times(3, () => 0)) {
      await Promise.all(databases.map((database) => addAtOnce(database, AT_ONCE)))
    }
    assert.equal(await databases[0].read(read), 6 * AT_ONCE)
  })

  test('are known by what they begin with, though it is put together anew each time', async (t) => {
    const database = await open(t)
    await prepare(database)
    const work = async (tx: Tx) => {
      const where = sql`shard = ${0}`
      await tx.first(sql`SELECT account_id FROM item_count WHERE ${where}`)
      return addOne(tx)
    }
    for (const _ of times(2, () => 0)) {
      let isFirst = true
      await database.write(async (tx) => {
        await work(tx)
        const fails = isFirst
        isFirst = false
        if (fails) throw new PostgresError(new Map([['C', '40001']]))
      })
    }
    const transactions = new Set(await Promise.all(times(AT_ONCE, () => database.write(work)))).size
    assert.ok(transactions <= 10, `${transactions} transactions`)
    assert.equal(await database.read(read), 2 + AT_ONCE)
  })

  test('undo what one of them has changed that refuses in the end', async (t) => {
    const { database, before } = await inLine(t)
    const effects: number[] = []
    const results = await Promise.allSettled(
      times(20, (index) =>
        database.write(async (tx) => {
          await addOne(tx)
          tx.afterCommit(() => effects.push(index))
          if (index % 5 === 0) throw new Conflict('no', 'no')
        }),
      ),
    )
    const refused = results.flatMap((result) => (result.status === 'rejected' ? result.reason : []))
    assert.equal(refused.length, 4)
    assert.ok(refused.every((error) => error instanceof Conflict))
    assert.equal(await database.read(read), before + 16)
    assert.deepEqual(
      effects,
      times(20, (index) => index).filter((index) => index % 5 > 0),
    )
  })

  test('do not suffer from one that the database refuses', async (t) => {
    const { database, before } = await inLine(t)
    const results = await Promise.allSettled(
      times(20, (index) =>
        database.write(async (tx) => {
          await addOne(tx)
          if (index === 7) await tx.run(sql`UPDATE item_count SET items = ${null}`)
        }),
      ),
    )
    const failed = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
    assert.deepEqual(failed, [7])
    assert.equal(await database.read(read), before + 19)
  })

  test('are 503 when the database goes away, and go on when it is back', async (t) => {
    const { database, other, before } = await inLine(t)
    const works = times(5, (index) =>
      database.write(async (tx) => {
        await addOne(tx)
        if (index > 0) return
        await other.read((reader) =>
          reader.all(
            raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()`),
          ),
        )
        await read(tx)
      }),
    )
    const results = await Promise.allSettled(works)
    assert.ok(results[0]?.status === 'rejected' && results[0].reason instanceof Unavailable)
    const done = results.filter(({ status }) => status === 'fulfilled').length
    await afterLoss(() => database.write((tx) => addOne(tx)))
    assert.equal(await afterLoss(() => database.read(read)), before + done + 1)
  })

  test('are carried out when the database is closed after them', async (t) => {
    const { database, other, before } = await inLine(t)
    const works = addAtOnce(database, AT_ONCE)
    await database.close()
    await works
    assert.equal(await other.read(read), before + AT_ONCE)
  })
})
