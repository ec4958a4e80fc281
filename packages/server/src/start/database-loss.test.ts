/** A server on PostgreSQL whose database goes away: what was answered is there, what was refused is not. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { startPgBouncer } from '../testing/pgbouncer.ts'
import { newDatabaseUrl } from '../testing/postgres-databases.ts'
import { startPostgres } from '../testing/postgres-server.ts'
import { type ServerProcess, serverFolder, startProcess } from '../testing/server-process.ts'

const WRITERS = 12

class Load {
  readonly answered: string[] = []
  readonly refused: string[] = []
  #isOver = false
  readonly #writers: Promise<void>[]

  constructor(server: ServerProcess, round: string) {
    this.#writers = Array.from({ length: WRITERS }, (_, n) => this.#write(server, `${round}-${n}`))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await Promise.all(this.#writers)
  }

  /** Fulfilled when so many more creations were answered. */
  async untilMore(count: number): Promise<void> {
    const wanted = this.answered.length + count
    for (let waited = 0; this.answered.length < wanted; waited += 10) {
      if (waited > 60_000) throw new Error('The server answers no more.')
      await sleep(10)
    }
  }

  async #write(server: ServerProcess, writer: string): Promise<void> {
    for (let count = 0; !this.#isOver; count += 1) {
      const name = `${writer}-${count}`
      const body = { CommonServiceItem: { Name: name, Provider: { Class: 'esme' } } }
      const answer = await server.ask('POST', '/commonserviceitem', body).catch(() => undefined)
      // Without an answer the connection was lost with the server, and nothing can be said.
      if (answer === undefined) return
      if (answer.status === 201) this.answered.push(name)
      // 503 says that nothing was done; 500 that it is not known.
      else if (answer.status === 503) this.refused.push(name)
      else assert.equal(answer.status, 500)
    }
  }
}

async function check(server: ServerProcess, loads: readonly Load[]): Promise<void> {
  const times = new Map<string, number>()
  for (let from = 0; ; from += 10_000) {
    const query = encodeURIComponent(JSON.stringify({ From: from, Count: 10_000 }))
    const { status, body } = await server.ask('GET', `/commonserviceitem?${query}`)
    assert.equal(status, 200)
    for (const { Name } of body.CommonServiceItems) times.set(Name, (times.get(Name) ?? 0) + 1)
    if (from + 10_000 >= body.Total) break
  }
  for (const { answered, refused } of loads) {
    for (const name of answered) assert.equal(times.get(name), 1, `${name} was answered`)
    for (const name of refused) assert.equal(times.get(name), undefined, `${name} was refused`)
  }
}

/** Ends all connections to the database again and again. */
async function terminateInLoop(url: string, during: () => Promise<void>): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  let isOver = false
  const loop = (async () => {
    while (!isOver) {
      await client.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`)
      await sleep(40)
    }
  })()
  await during()
  isOver = true
  await loop
  await client.end()
}

const postgres = await startPostgres()
process.once('exit', () => postgres?.stop())

describe('a server on PostgreSQL', { skip: postgres === undefined && 'there is none' }, () => {
  const start = (t: TestContext, folder: string, url: string, more: readonly string[] = []) =>
    startProcess(t, folder, ['--data', `${folder}/data`, '--database', url, ...more])

  test('loses nothing and does nothing twice when its connections are ended under load', async (t) => {
    const url = await newDatabaseUrl(postgres?.url ?? '')
    const server = await start(t, serverFolder(t), url)
    const load = new Load(server, 'a')
    await terminateInLoop(url, () => load.untilMore(300))
    await load.untilMore(50)
    await load.end()
    await check(server, [load])
    t.diagnostic(`${load.answered.length} answered, ${load.refused.length} refused`)
  })

  test('comes back by itself when the database was stopped and started under load', async (t) => {
    const url = await newDatabaseUrl(postgres?.url ?? '')
    const server = await start(t, serverFolder(t), url)
    const load = new Load(server, 'b')
    for (const _ of [1, 2]) {
      await load.untilMore(50)
      postgres?.halt()
      const metrics = await fetch(`${server.origin}/_kumoi/v1/metrics`)
      assert.equal(metrics.status, 200)
      assert.match(await metrics.text(), /^kumoi_database_up 0$/m)
      // Longer than a request is retried.
      await sleep(2500)
      await postgres?.resume()
    }
    await load.untilMore(50)
    await load.end()
    assert.ok(load.refused.length > 0, 'nobody was refused while there was no database')
    await check(server, [load])
  })

  test('loses nothing that it has answered when it is killed under load', async (t) => {
    const url = await newDatabaseUrl(postgres?.url ?? '')
    const folder = serverFolder(t)
    const loads: Load[] = []
    for (let round = 0; round < 4; round += 1) {
      const server = await start(t, folder, url)
      const load = new Load(server, `c${round}`)
      loads.push(load)
      await load.untilMore(40)
      server.child.kill('SIGKILL')
      await load.end()
    }
    await check(await start(t, folder, url), loads)
  })

  test('works behind PgBouncer in transaction mode, also when connections are ended', async (t) => {
    const direct = await newDatabaseUrl(postgres?.url ?? '')
    const pooled = await startPgBouncer(t, direct)
    if (pooled === undefined) return t.skip('there is no PgBouncer (Debian: pgbouncer)')
    const server = await start(t, serverFolder(t), pooled, ['--database-pooler'])
    const load = new Load(server, 'd')
    await load.untilMore(100)
    await terminateInLoop(direct, () => load.untilMore(100))
    await load.untilMore(50)
    await load.end()
    await check(server, [load])
  })
})

describe('a client that has gone', { skip: postgres === undefined && 'there is none' }, () => {
  test('leaves nothing running at the database', async (t) => {
    const url = await newDatabaseUrl(postgres?.url ?? '')
    const folder = serverFolder(t)
    const server = await startProcess(t, folder, ['--data', `${folder}/data`, '--database', url])
    const [admin, watcher] = [new pg.Client(url), new pg.Client(url)]
    await Promise.all([admin.connect(), watcher.connect()])
    t.after(() => Promise.all([admin.end(), watcher.end()]))
    // Outside of the transaction, which would see the same activity each time.
    const waiting = async () => {
      const { rows } = await watcher.query(`SELECT count(*)::int AS n FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'`)
      return rows[0].n
    }
    // Whoever wants to create an item waits for this.
    await admin.query('BEGIN; LOCK TABLE item IN ACCESS EXCLUSIVE MODE')
    const client = new AbortController()
    const body = { CommonServiceItem: { Name: 'gone', Provider: { Class: 'esme' } } }
    const call = fetch(`${server.origin}/cloud/zone/is1a/api/cloud/1.1/commonserviceitem`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('acme-token:acme-token-secret')}` },
      body: JSON.stringify(body),
      signal: client.signal,
    })
    while ((await waiting()) === 0) await sleep(10)
    client.abort()
    await assert.rejects(call)
    for (let waited = 0; (await waiting()) > 0 && waited < 5000; waited += 10) await sleep(10)
    assert.equal(await waiting(), 0)
    await admin.query('COMMIT')
    const { body: listed } = await server.ask('GET', '/commonserviceitem')
    assert.equal(listed.Total, 0)
  })
})
