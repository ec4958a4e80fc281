import assert from 'node:assert/strict'
import { connect, createServer, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { createSecureContext, TLSSocket } from 'node:tls'
import { Unavailable } from '../../kernel/errors.ts'
import { systemRandom } from '../../kernel/random.ts'
import { POSTGRES_LIMITS, postgresServerUrl as server } from '../../testing/engines.ts'
import { newDatabaseUrl } from '../../testing/postgres-databases.ts'
import { loadOrMakeTls } from '../../tls/local-ca.ts'
import { raw } from '../sql.ts'
import { addressesOf } from './address.ts'
import { PostgresDatabase } from './database.ts'
import { Pool } from './pool.ts'

const PASSWORD = 'pässword: 50%/@'

/** True when statements are answered. */
async function works(url: string): Promise<boolean> {
  const database = await PostgresDatabase.connect({ url, ...POSTGRES_LIMITS })
  try {
    const row = await database.read((tx) => tx.first<{ one: number }>(raw('SELECT 1 AS one')))
    return row?.one === 1
  } finally {
    await database.close()
  }
}

/** Stands before the server, as a balancer does, with TLS or refusing it. */
async function proxy(t: TestContext, offersTls: boolean): Promise<string> {
  const { port, hostname } = new URL(server ?? '')
  const { cert, key } = loadOrMakeTls({
    folder: undefined,
    names: ['localhost'],
    now: new Date(),
    randomBytes: (size) => systemRandom.bytes(size),
  })
  const secureContext = createSecureContext({ cert, key })
  const sockets: Socket[] = []
  const listener = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    socket.once('data', (first: Buffer) => {
      const outer = connect(Number(port), hostname)
      const asksForTls = first.length === 8
      if (asksForTls) socket.write(offersTls ? 'S' : 'N')
      else outer.write(first)
      const isTls = asksForTls && offersTls
      const inner = isTls ? new TLSSocket(socket, { isServer: true, secureContext }) : socket
      inner.on('error', () => undefined).on('close', () => outer.destroy())
      outer.on('error', () => undefined).on('close', () => inner.destroy())
      inner.pipe(outer).pipe(inner)
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  const address = listener.address()
  const url = new URL(await newDatabaseUrl(server ?? ''))
  url.port = String(typeof address === 'object' ? address?.port : 0)
  return url.href
}

describe('a connection to a PostgreSQL server', { skip: server === undefined }, () => {
  for (const method of ['scram-sha-256', 'md5', 'password']) {
    test(`takes a password by ${method}, and says when it is wrong`, async () => {
      const role = `login_${process.pid}_${method.slice(0, 3)}`
      const url = new URL(await newDatabaseUrl(server ?? '', role))
      const owner = await PostgresDatabase.connect({ url: server ?? '', ...POSTGRES_LIMITS })
      const stored = method === 'md5' ? 'md5' : 'scram-sha-256'
      await owner.write(async (tx) => {
        await tx.run(raw(`SET LOCAL password_encryption = '${stored}'`))
        await tx.run(raw(`ALTER ROLE ${role} PASSWORD '${PASSWORD}'`))
        const files = await tx.first<{ file: string; lines: string }>(
          raw(`SELECT setting AS file, pg_read_file(setting) AS lines FROM pg_settings
               WHERE name = 'hba_file'`),
        )
        // Lines that come first count first.
        const line = `host all ${role} 127.0.0.1/32 ${method}`
        await tx.run(
          raw(`COPY (SELECT '${line}' UNION ALL
                     SELECT * FROM regexp_split_to_table($hba$${files?.lines}$hba$, '\\n+') AS line
                     WHERE line <> '')
               TO '${files?.file}' WITH (FORMAT csv, DELIMITER E'\\x01', QUOTE E'\\x02')`),
        )
        await tx.all(raw('SELECT pg_reload_conf()'))
      })
      await owner.close()
      url.password = 'wrong'
      for (let attempt = 0; attempt < 100; attempt += 1) {
        // The server reads its new rules a little later; until then anyone may come in.
        if (!(await works(url.href).catch(() => false))) break
      }
      await assert.rejects(works(url.href), /The database cannot be used: .*authentication failed/)
      url.password = encodeURIComponent(PASSWORD)
      assert.equal(await works(url.href), true)
    })
  }

  test('is encrypted when the address asks for it', async (t) => {
    const url = await proxy(t, true)
    assert.equal(await works(`${url}?sslmode=require`), true)
    assert.equal(await works(`${url}?sslmode=prefer`), true)
    await assert.rejects(works(`${url}?sslmode=verify-full`), /cannot be used: .*certificate/)
  })

  test('is plain only when the address allows it', async (t) => {
    const url = await proxy(t, false)
    assert.equal(await works(`${url}?sslmode=prefer`), true)
    await assert.rejects(works(`${url}?sslmode=require`), /does not support SSL/)
  })

  test('gives settings of the address to the session', async () => {
    const url = await newDatabaseUrl(server ?? '')
    const database = await PostgresDatabase.connect({
      url: `${url}?application_name=other`,
      ...POSTGRES_LIMITS,
    })
    const row = await database.read((tx) =>
      tx.first(
        raw(`SELECT current_setting('application_name') AS name,
               current_setting('plan_cache_mode') AS plans, current_setting('lock_timeout') AS wait`),
      ),
    )
    assert.deepEqual(row, { name: 'other', plans: 'force_custom_plan', wait: '10s' })
    await database.close()
  })
})

describe('an address', () => {
  const hostsOf = (text: string) => addressesOf(text).map((address) => new URL(address).host)

  test('may name several hosts, each with its port', () => {
    const several = 'postgres://me:p%40ss@one:1,two,[::1]:3/base?sslmode=require'
    assert.deepEqual(hostsOf(several), ['one:1', 'two', '[::1]:3'])
    for (const address of addressesOf(several)) {
      assert.match(
        address,
        /^postgres:\/\/me:p%40ss@.*\/base\?sslmode=require&uselibpqcompat=true$/,
      )
    }
    assert.deepEqual(hostsOf('postgres://me@%2Frun%2Fpostgresql/x'), ['%2Frun%2Fpostgresql'])
  })

  test('is refused when it is none, or asks for what is not known', () => {
    assert.throws(() => addressesOf('postgres://x/y?sslmode=maybe'), /sslmode=maybe is not known/)
    assert.throws(() => addressesOf('mysql://x/y'), /must be a postgres:/)
  })
})

describe('a connection that cannot be had', { skip: server === undefined }, () => {
  test('fails when the peer closes after the request for TLS, and leaves room for the next', async (t) => {
    const listener = createServer((socket) => socket.once('data', () => socket.destroy()))
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    t.after(() => listener.close())
    const address = listener.address()
    const port = typeof address === 'object' ? address?.port : 0
    const url = `postgres://127.0.0.1:${port}/x?sslmode=require`
    const pool = new Pool({ url, ...POSTGRES_LIMITS, size: 1 })
    for (const _ of [1, 2, 3]) await assert.rejects(pool.take(), Unavailable)
    await pool.connections.end()
  })

  test('is 503 when all are in use for too long', async () => {
    const url = await newDatabaseUrl(server ?? '')
    // Long enough for a connection on a busy machine.
    const pool = new Pool({ url, ...POSTGRES_LIMITS, size: 1, waitMs: 1500 })
    const taken = await pool.take()
    await assert.rejects(pool.take(), Unavailable)
    taken.release()
    ;(await pool.take()).release()
    await pool.connections.end()
  })

  test('is 503 when the server has no room for it', async () => {
    const role = `full_${process.pid}`
    const url = await newDatabaseUrl(server ?? '', role)
    const owner = await PostgresDatabase.connect({ url: server ?? '', ...POSTGRES_LIMITS })
    await owner.write((tx) => tx.run(raw(`ALTER ROLE ${role} NOSUPERUSER CONNECTION LIMIT 0`)))
    await owner.close()
    const pool = new Pool({ url, ...POSTGRES_LIMITS, size: 1 })
    await assert.rejects(pool.take(), Unavailable)
    await pool.connections.end()
  })

  test('is looked for at the next host', async () => {
    const { host } = new URL(await newDatabaseUrl(server ?? ''))
    const url = new URL(await newDatabaseUrl(server ?? ''))
    // Nobody listens on the port of the first.
    const list = url.href.replace(host, `127.0.0.1:1,${host}`)
    assert.equal(await works(list), true)
  })
})
