import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Unavailable } from '../../kernel/errors.ts'
import { POSTGRES_LIMITS, postgresServerUrl } from '../../testing/engines.ts'
import { newDatabaseUrl } from '../../testing/postgres-databases.ts'
import { openTcpProxy } from '../../testing/tcp-proxy.ts'
import { raw, sql } from '../sql.ts'
import { PostgresDatabase, type PostgresOptions } from './database.ts'
import { OutcomeUnknown, TookTooLong } from './errors.ts'
import { MAX_ATTEMPTS, retry } from './retry.ts'

const server = postgresServerUrl ?? ''
const skip = postgresServerUrl === undefined && 'there is no PostgreSQL server'

async function open(t: TestContext, more: Partial<PostgresOptions> = {}) {
  const url = more.url ?? (await newDatabaseUrl(server))
  const database = await PostgresDatabase.connect({ ...POSTGRES_LIMITS, ...more, url })
  t.after(() => database.close())
  await database.write((tx) =>
    tx.run(raw('CREATE TABLE IF NOT EXISTS thing (name TEXT PRIMARY KEY)')),
  )
  const add = (name: string) =>
    database.write((tx) => tx.run(sql`INSERT INTO thing (name) VALUES (${name})`))
  const names = () =>
    database.read(async (tx) =>
      (await tx.all<{ name: string }>(raw('SELECT name FROM thing ORDER BY name'))).map(
        ({ name }) => name,
      ),
    )
  return { url, database, add, names }
}

describe('a connection lost at COMMIT', { skip }, () => {
  async function openBehindProxy(t: TestContext) {
    const url = new URL(await newDatabaseUrl(server))
    const proxy = await openTcpProxy(t, { host: url.hostname, port: Number(url.port) })
    url.port = String(proxy.port)
    return { proxy, ...(await open(t, { url: url.href })) }
  }
  const isCommit = (bytes: Buffer) => bytes.includes('COMMIT')

  test('is a success when the server has committed', async (t) => {
    const { proxy, add, names } = await openBehindProxy(t)
    let cuts = 0
    proxy.onClientData = (bytes) => (isCommit(bytes) && ++cuts === 1 ? 'cut-after' : 'pass')
    assert.equal(await add('a'), 1)
    assert.deepEqual([cuts, await names()], [1, ['a']])
  })

  test('is a retry when the server has not', async (t) => {
    const { proxy, add, names } = await openBehindProxy(t)
    let commits = 0
    proxy.onClientData = (bytes) => (isCommit(bytes) && ++commits === 1 ? 'cut' : 'pass')
    assert.equal(await add('a'), 1)
    assert.deepEqual([commits, await names()], [2, ['a']])
  })

  test('is an outcome that is not known when nobody can be asked', {
    timeout: 60_000,
  }, async (t) => {
    const { proxy, add } = await openBehindProxy(t)
    proxy.onClientData = (bytes) => {
      if (!isCommit(bytes)) return 'pass'
      proxy.isClosed = true
      return 'cut-after'
    }
    await assert.rejects(add('a'), (error) => {
      assert.ok(error instanceof OutcomeUnknown)
      assert.equal(error.code, 'internal_server_error')
      return true
    })
  })
})

describe('limits', { skip }, () => {
  test('end a statement that runs for too long, and one that waits for a lock for too long', async (t) => {
    const { database, add } = await open(t, { statementMs: 200, lockMs: 100 })
    await add('a')
    const sleep = database.read((tx) => tx.all(raw('SELECT pg_sleep(10)')))
    await assert.rejects(sleep, TookTooLong)
    const lock = (tx: Parameters<Parameters<typeof database.write>[0]>[0]) =>
      tx.run(raw("UPDATE thing SET name = name WHERE name = 'a'"))
    await database.write(async (tx) => {
      await lock(tx)
      await assert.rejects(database.write(lock), Unavailable)
    })
  })

  test('end a transaction that does nothing for too long', async (t) => {
    const { database, names } = await open(t, { idleInTransactionMs: 50 })
    let runs = 0
    await database.write(async (tx) => {
      runs += 1
      await tx.run(sql`INSERT INTO thing (name) VALUES (${`run ${runs}`})`)
      if (runs === 1) await new Promise((resolve) => setTimeout(resolve, 300))
    })
    // On a busy machine a later run may do nothing for too long, too.
    assert.ok(runs >= 2)
    assert.deepEqual(await names(), [`run ${runs}`])
  })

  test('bound the number of attempts', async () => {
    let attempts = 0
    const lost = retry(async () => {
      attempts += 1
      throw new TookTooLong(undefined)
    })
    await assert.rejects(lost, TookTooLong)
    assert.equal(attempts, 1)
    const { default: pg } = await import('pg')
    const conflict = new pg.DatabaseError('could not serialize', 1, 'error')
    conflict.code = '40001'
    const busy = retry(async () => {
      attempts += 1
      throw conflict
    })
    await assert.rejects(busy, Unavailable)
    assert.equal(attempts, 1 + MAX_ATTEMPTS)
  })
})

describe('a request whose client has gone', { skip }, () => {
  test('is cancelled at the server, and its connection is not used again', async (t) => {
    const { database, names } = await open(t, { size: 2 })
    const running = () =>
      database.read(async (tx) => {
        const row = await tx.first<{ n: number }>(
          sql`SELECT count(*) AS n FROM pg_stat_activity
              WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active' AND ${1} = 1`,
        )
        return row?.n
      })
    for (const kind of ['read', 'write'] as const) {
      const client = new AbortController()
      const work = database[kind](async (tx) => {
        if (kind === 'write') await tx.run(sql`INSERT INTO thing (name) VALUES ('gone')`)
        return tx.all(raw('SELECT pg_sleep(30)'))
      }, client)
      while ((await running()) === 0);
      client.abort()
      await assert.rejects(work, TookTooLong)
      assert.equal(await running(), 0)
    }
    assert.deepEqual(await names(), [])
    await assert.rejects(
      database.read((tx) => tx.all(raw('SELECT 1')), { signal: AbortSignal.abort() }),
    )
  })
})

describe('a read', { skip }, () => {
  test('of several statements sees one snapshot, also when it begins as one of a single statement', async (t) => {
    const { database, add } = await open(t)
    const count = (n: number) => sql`SELECT count(*) AS n FROM thing WHERE ${n} = ${n}`
    for (let round = 0; round < 4; round += 1) {
      const seen = await database.read(async (tx) => {
        const before = await tx.first(count(1))
        await add(`${round} ${crypto.randomUUID()}`)
        return [before, await tx.first(count(2))]
      })
      assert.deepEqual(seen[0], seen[1])
    }
  })

  test('that fails, again and again, is no error of the reads beside it', async (t) => {
    // Fewer connections than reads, so that each connection has had a failed one before.
    const { database, add, names } = await open(t, { size: 2 })
    await add('kept')
    // What no request can send any more, so that only a test of the database can: see kernel/text-check.ts.
    const failing = [
      () => database.read((tx) => tx.all(sql`SELECT name FROM thing WHERE name = ${'a\0'}`)),
      () => database.read((tx) => tx.all(sql`SELECT 1 AS n WHERE 1 = CAST(${'x'} AS BIGINT)`)),
      () =>
        database.read(async (tx) => {
          await tx.all(raw('SELECT 1 AS n'))
          return tx.all(raw('SELECT 1 / 0 AS n'))
        }),
    ]
    for (let round = 0; round < 30; round += 1) {
      const failed = failing.map((read) => assert.rejects(read()))
      const read = Array.from({ length: 6 }, () => names())
      for (const found of await Promise.all(read)) assert.deepEqual(found, ['kept'])
      await Promise.all(failed)
    }
  })

  test('works again when the server has refused a connection', async (t) => {
    const { database, url } = await open(t)
    const base = new URL(url).pathname.slice(1)
    const admin = await PostgresDatabase.connect({ ...POSTGRES_LIMITS, url: server })
    t.after(() => admin.close())
    const allow = (isAllowed: boolean) =>
      admin.write((tx) => tx.run(raw(`ALTER DATABASE "${base}" ALLOW_CONNECTIONS ${isAllowed}`)))
    const count = () => database.read((tx) => tx.first(sql`SELECT count(*) AS n FROM thing`))
    await count()
    await allow(false)
    await admin.write((tx) =>
      tx.all(sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${base}`),
    )
    await assert.rejects(count(), /not currently accepting connections/)
    await allow(true)
    assert.deepEqual(await count(), { n: 0 })
  })

  test('of a single statement begins no transaction', async (t) => {
    const { database } = await open(t)
    const isolation = (n: number) =>
      database.read((tx) =>
        tx.first(sql`SELECT current_setting('transaction_isolation') AS level WHERE ${n} = ${n}`),
      )
    await isolation(1)
    assert.deepEqual(await isolation(2), { level: 'read committed' })
  })
})
