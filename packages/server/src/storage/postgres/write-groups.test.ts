import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { Conflict, Unavailable } from '../../kernel/errors.ts'
import { afterLoss } from '../../testing/after-loss.ts'
import { TEST_NOW } from '../../testing/engines.ts'
import { openEmpty as open, skip } from '../../testing/one-postgres.ts'
import type { Database, Tx } from '../database.ts'
import { raw, type SqlValue, sql } from '../sql.ts'

/** One that fails when the code is taken, and one that says so. */
const insert = (tx: Tx, code: string, name = code) =>
  tx.run(
    sql`INSERT INTO account (id, code, name, class, member_code, member_class, created_at)
        VALUES (${code}, ${code}, ${name}, 'member', 'm', 'member', ${TEST_NOW})`,
  )
const claim = (tx: Tx, code: string) =>
  tx.run(
    sql`INSERT INTO account (id, code, name, class, member_code, member_class, created_at)
        VALUES (${code}, ${code}, ${code}, 'member', 'm', 'member', ${TEST_NOW})
        ON CONFLICT DO NOTHING`,
  )
const count = async (tx: Tx) =>
  (await tx.first<{ n: number }>(sql`SELECT count(*) AS n FROM account`))?.n
const transaction = (tx: Tx) => tx.first<{ id: number }>(sql`SELECT txid_current() AS id`)
const names = (database: Database) =>
  database.read((tx) => tx.all<{ name: string }>(raw('SELECT name FROM account ORDER BY name')))
const times = <T>(most: number, work: (index: number) => T) =>
  Array.from({ length: most }, (_, index) => work(index))
const statuses = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map(({ status }) => status)

describe('writes at the same time', { skip }, () => {
  test('share a transaction, and each inserts its own', async (t) => {
    const database = await open(t)
    const ids = await Promise.all(
      times(30, (index) =>
        database.write(async (tx) => {
          const found = await transaction(tx)
          await insert(tx, `a${index}`)
          return found?.id
        }),
      ),
    )
    assert.equal(new Set(ids).size, 1)
    assert.equal((await names(database)).length, 30)
  })

  test('take numbers that are all different', async (t) => {
    const database = await open(t)
    const numbers = await Promise.all(times(30, () => database.write((tx) => tx.next('outbox'))))
    assert.equal(new Set(numbers).size, 30)
  })

  test('end as if one had run after the other, though each looks at what the others change', async (t) => {
    const database = await open(t)
    await Promise.all(
      times(12, (index) =>
        database.write(async (tx) => {
          const before = String(await count(tx)).padStart(2, '0')
          await insert(tx, `a${index}`, before)
        }),
      ),
    )
    const expected = times(12, (index) => String(index).padStart(2, '0'))
    assert.deepEqual(
      (await names(database)).map(({ name }) => name),
      expected,
    )
  })

  test('fail apart: a refusal and a broken constraint leave the others alone', async (t) => {
    const database = await open(t)
    await database.write((tx) => insert(tx, 'taken'))
    const effects: string[] = []
    const works = ['a', 'taken', 'b', 'refused', 'c'].map((code) =>
      database.write(async (tx) => {
        tx.afterCommit(() => effects.push(code))
        await count(tx)
        if (code === 'refused') throw new Conflict('no', 'no')
        await insert(tx, code)
        return code
      }),
    )
    const results = await Promise.allSettled(works)
    assert.deepEqual(statuses(results), [
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    await assert.rejects(works[1] ?? works[0] ?? Promise.resolve(), { code: '23505' })
    await assert.rejects(works[3] ?? works[0] ?? Promise.resolve(), Conflict)
    assert.deepEqual(effects.sort(), ['a', 'b', 'c'])
    assert.equal((await names(database)).length, 4)
  })

  test('refuse nothing by what is not committed', async (t) => {
    const database = await open(t)
    const outcomes = await Promise.allSettled([
      database.write(async (tx) => {
        await insert(tx, 'gone')
        throw new Conflict('no', 'no')
      }),
      database.write((tx) => claim(tx, 'gone')),
    ])
    assert.deepEqual(statuses(outcomes), ['rejected', 'fulfilled'])
    assert.equal((await names(database)).length, 1)
  })

  test('settle a race for one thing, in one process and between two', async (t) => {
    const databases = [await open(t), await open(t)]
    const wins = await Promise.all(
      databases.flatMap((database) => times(20, () => database.write((tx) => claim(tx, 'only')))),
    )
    assert.equal(
      wins.reduce((sum, won) => sum + won, 0),
      1,
    )
  })

  test('count right though two processes collide all the time', async (t) => {
    const databases = [await open(t), await open(t)]
    await databases[0]?.write((tx) => insert(tx, 'account'))
    const add = (tx: Tx) =>
      tx.run(
        sql`INSERT INTO item_count (account_id, class, shard, items) VALUES ('account', 'sim', 1, 1)
            ON CONFLICT (account_id, class, shard) DO UPDATE SET items = item_count.items + 1`,
      )
    for (const _ of times(5, () => 0)) {
      await Promise.all(databases.flatMap((database) => times(20, () => database.write(add))))
    }
    const counted = await databases[0]?.read((tx) =>
      tx.first<{ items: number }>(sql`SELECT items FROM item_count`),
    )
    assert.equal(counted?.items, 200)
  })

  test('do with one statement what several want under one name, unless one of them looks at it', async (t) => {
    const database = await open(t)
    const seen: unknown[] = []
    const together = (values: readonly SqlValue[]) =>
      sql`INSERT INTO job (name, summary, runs, leased_until, failures)
          VALUES (${String(values[0])}, ${values.join(' ')}, ${values.length}, 0, 0)`
    const wish = (tx: Tx, value: string) => tx.later('x', value, together)
    const jobs = () => database.read((tx) => tx.all(raw('SELECT summary FROM job ORDER BY name')))
    const failing = database.write(async (tx) => {
      await wish(tx, 'lost')
      throw new Conflict('no', 'no')
    })
    await Promise.all([
      ...['a', 'b', 'c'].map((value) => database.write((tx) => wish(tx, value))),
      assert.rejects(failing, Conflict),
    ])
    assert.deepEqual(await jobs(), [{ summary: 'a b c' }])
    await Promise.all([
      database.write((tx) => wish(tx, 'd')),
      database.write(async (tx) => seen.push(await tx.all(sql`SELECT summary FROM job`))),
    ])
    assert.equal((await jobs()).length, 2)
    assert.ok([1, 2].includes((seen.at(-1) as unknown[]).length))
  })

  test('know nothing of a group before them that could not be committed', async (t) => {
    const database = await open(t)
    await database.replace(async (tx) => {
      await tx.run(raw('CREATE TABLE IF NOT EXISTS late (id TEXT PRIMARY KEY, refers TEXT)'))
      await tx.run(raw('ALTER TABLE late DROP CONSTRAINT IF EXISTS late_refers'))
      await tx.run(
        raw(`ALTER TABLE late ADD CONSTRAINT late_refers FOREIGN KEY (refers) REFERENCES late (id)
             DEFERRABLE INITIALLY DEFERRED`),
      )
    })
    const look = (tx: Tx) => tx.first<{ n: number }>(sql`SELECT ${7}::bigint AS n`)
    const put = (tx: Tx, id: string, refers: string) =>
      tx.run(sql`INSERT INTO late (id, refers) VALUES (${id}, ${refers})`)
    for (const round of times(3, String)) {
      const next: Promise<unknown>[] = []
      const bad = times(2, (index) =>
        database.write(async (tx) => {
          await look(tx)
          // Comes while this group is under way, and waits for its end.
          const id = `${round} ${index} good`
          next[index] ??= database.write(async (own) => [await look(own), await put(own, id, id)])
          await put(tx, `${round} ${index} bad`, 'none')
        }),
      )
      const told = await Promise.allSettled(bad)
      assert.deepEqual(
        told.map((one) => one.status === 'rejected' && one.reason.code),
        ['23503', '23503'],
      )
      assert.deepEqual(
        await Promise.all(next),
        times(2, () => [{ n: 7 }, 1]),
      )
    }
  })

  test('run alone when they look at what they have changed, or wait for something else', async (t) => {
    const database = await open(t)
    const looks = times(8, (index) =>
      database.write(async (tx) => {
        await insert(tx, `a${index}`)
        return tx.first(sql`SELECT code FROM account WHERE code = ${`a${index}`}`)
      }),
    )
    const waits = times(3, (index) =>
      database.write(async (tx) => {
        await count(tx)
        for (const _ of times(5, () => 0)) await turn()
        await insert(tx, `b${index}`)
      }),
    )
    assert.deepEqual(
      await Promise.all(looks),
      times(8, (index) => ({ code: `a${index}` })),
    )
    await Promise.all(waits)
    assert.equal((await names(database)).length, 11)
  })

  test('are 503 when the server goes away, and go on when it is back', async (t) => {
    const [database, other] = [await open(t), await open(t)]
    const killed = database.write(async (tx) => {
      await count(tx)
      await other.read((reader) =>
        reader.all(
          raw(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()`),
        ),
      )
      await insert(tx, 'lost')
    })
    await assert.rejects(killed, Unavailable)
    await afterLoss(() => database.write((tx) => claim(tx, 'kept')))
    assert.deepEqual(await afterLoss(() => names(database)), [{ name: 'kept' }])
  })

  test('are carried out when the database is closed after them', async (t) => {
    const [database, other] = [await open(t), await open(t)]
    const works = times(70, (index) => database.write((tx) => insert(tx, `a${index}`)))
    await database.close()
    await Promise.all(works)
    assert.equal((await names(other)).length, 70)
  })

  test('change nothing but the table that they name: there are no triggers, rules and views', async (t) => {
    const database = await open(t)
    const found = await database.read((tx) =>
      tx.all(
        raw(`SELECT tgname::text AS name FROM pg_trigger WHERE NOT tgisinternal
                  UNION ALL SELECT rulename::text FROM pg_rules WHERE schemaname = current_schema()
                  UNION ALL SELECT viewname::text FROM pg_views WHERE schemaname = current_schema()`),
      ),
    )
    assert.deepEqual(found, [])
  })
})
