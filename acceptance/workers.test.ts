/** Several processes on one port, on one PostgreSQL database, behave as one server. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from './engines.ts'
import { freePort } from './ports.ts'
import {
  bannerOf,
  CLOUD,
  launch,
  run,
  type ServerProcess,
  start,
  temporaryFolder,
} from './server.ts'
import { giveCertificate } from './tls-files.ts'
import { waitFor } from './wait.ts'

const CONNECTIONS = 24
const WORKERS = 2
const postgres = engines.find(({ name }) => name === 'postgres')
const skip = postgres === undefined && 'there is no PostgreSQL server'

/** The children of a process; undefined where the system does not tell. */
function childrenOf(pid: number | undefined): number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return text.trim().split(' ').filter(Boolean).map(Number)
  } catch {
    return undefined
  }
}

describe(`--workers ${WORKERS} on postgres`, { skip }, () => {
  const endings: (() => void)[] = []
  let server: ServerProcess
  let token = ''
  let connections: Agent[] = []

  before(async () => {
    const data = temporaryFolder({ after: (work) => endings.push(work) })
    const flags = (await postgres?.flags()) ?? []
    server = await start(data, [...flags, '--workers', String(WORKERS)])
    token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
    const options = { keepAlive: true, maxSockets: 1, ca: server.ca }
    connections = Array.from({ length: CONNECTIONS }, () => new Agent(options))
  })
  after(async () => {
    const { code } = await server.stop()
    for (const agent of connections) agent.destroy()
    for (const end of endings) end()
    assert.equal(code, 0)
  })

  const askAll = () =>
    Promise.all(connections.map((agent) => server.ask('GET', `${CLOUD}/auth-status`, { agent })))
  const create = (name: string, agent?: Agent) => {
    const body = { CommonServiceItem: { Name: name, Provider: { Class: 'esme' } } }
    return server.ask('POST', `${CLOUD}/commonserviceitem`, agent ? { body, agent } : { body })
  }

  test('counts the requests of all workers, whichever is asked', async () => {
    const counted = async (agent: Agent) => {
      const headers = { key: 'x:y', agent }
      const { body } = await server.ask('GET', '/_kumoi/v1/metrics', headers)
      return Number(/seconds_count\{operation="authStatus",status="200"\} (\d+)/.exec(body)?.[1])
    }
    await askAll()
    await askAll()
    for (const agent of connections) assert.equal(await counted(agent), 2 * CONNECTIONS)
  })

  test('shows a write to the next read in any worker', async () => {
    const { status, body } = await create('first')
    assert.equal(status, 201)
    const path = `${CLOUD}/commonserviceitem/${body.CommonServiceItem.ID}`
    for (const [index, agent] of connections.entries()) {
      const change = { CommonServiceItem: { Name: `name ${index}` } }
      assert.equal((await server.ask('PUT', path, { agent, body: change })).status, 200)
      const next = connections[(index + 1) % CONNECTIONS] as Agent
      const read = await server.ask('GET', path, { agent: next })
      assert.equal(read.body.CommonServiceItem.Name, `name ${index}`)
    }
  })

  test('refuses with a sentence what one process would know alone', async () => {
    for (const [method, path, body] of [
      ['PUT', '/clock', { mode: 'frozen' }],
      ['POST', '/clock/advance', { by: '1d' }],
      ['POST', '/faults', { operation: 'authStatus', effect: { status: 503 } }],
      ['POST', '/snapshots', { name: 'a' }],
      ['POST', '/reset', { to: 'empty' }],
      ['GET', '/requests', undefined],
      ['GET', '/events', undefined],
    ] as const) {
      const answer = await server.operator(method, path, token, body)
      assert.equal(answer.status, 403, path)
      assert.match(answer.body.error_msg, /started with several \(--workers\)/)
    }
  })

  test('replaces a worker that was killed', async (t) => {
    const workers = childrenOf(server.process.pid)
    if (workers === undefined) return t.skip('this system does not tell who the workers are')
    assert.equal(workers.length, WORKERS)
    process.kill(workers[0] ?? 0, 'SIGKILL')
    for (let waited = 0; waited < 20_000; waited += 50) {
      const now = childrenOf(server.process.pid) ?? []
      if (now.length === WORKERS && !now.includes(workers[0] ?? 0)) break
      await sleep(50)
    }
    const now = childrenOf(server.process.pid) ?? []
    assert.deepEqual([now.length, now.includes(workers[0] ?? 0)], [WORKERS, false])
    const fresh = new Agent({ ca: server.ca })
    for (let n = 0; n < 8; n += 1) assert.equal((await create(`after ${n}`, fresh)).status, 201)
    fresh.destroy()
  })

  test('restarts its workers one after the other on SIGHUP, and fails no request', async (t) => {
    const workers = childrenOf(server.process.pid)
    if (workers === undefined) return t.skip('this system does not tell who the workers are')
    let isOver = false
    let answered = 0
    const clients = Array.from({ length: 6 }, async (_, client) => {
      const agent = new Agent({ keepAlive: true, ca: server.ca })
      for (let n = 0; !isOver; n += 1) {
        const { status } = await create(`rolling ${client} ${n}`, agent)
        assert.equal(status, 201)
        answered += 1
      }
      agent.destroy()
    })
    await sleep(200)
    server.process.kill('SIGHUP')
    const isNew = () => {
      const now = childrenOf(server.process.pid) ?? []
      return now.length === WORKERS && now.every((pid) => !workers.includes(pid))
    }
    for (let waited = 0; waited < 40_000 && !isNew(); waited += 50) await sleep(50)
    isOver = true
    await Promise.all(clients)
    assert.ok(isNew(), 'all workers are new')
    assert.ok(answered > 20)
  })
})

test('a worker that dies while the certificate is broken has a successor once it is repaired', {
  skip,
}, async (t) => {
  const folder = temporaryFolder(t)
  const { certFile, keyFile, cert } = giveCertificate(folder)
  const flags = (await postgres?.flags()) ?? []
  const files = ['--tls-cert', certFile, '--tls-key', keyFile]
  // With 0 a successor would choose a port of its own once all others are gone.
  const port = await freePort()
  const places = ['--port', String(port), '--data', join(folder, 'data'), '--log-level', 'error']
  const child = launch([...flags, ...files, ...places, '--workers', String(WORKERS)])
  t.after(() => child.kill('SIGKILL'))
  let stderr = ''
  child.stderr?.on('data', (chunk) => {
    stderr += chunk
  })
  await bannerOf(child)
  const ask = async () => {
    const outgoing = get(`https://localhost:${port}/_kumoi/v1/health/ready`, {
      ca: cert,
      agent: false,
    })
    const [response] = await once(outgoing, 'response')
    response.resume()
    return response.statusCode
  }
  const workers = childrenOf(child.pid)
  if (workers === undefined) return t.skip('this system does not tell who the workers are')
  writeFileSync(certFile, 'broken')
  process.kill(workers[0] ?? 0, 'SIGKILL')
  const sentence = /kumoi: The file \S+ holds no certificate in PEM\./g
  await waitFor('two attempts', async () => (stderr.match(sentence)?.length ?? 0) >= 2)
  assert.equal(await ask(), 200)
  writeFileSync(certFile, cert)
  // Only a successor can answer now.
  process.kill(workers[1] ?? 0, 'SIGKILL')
  await waitFor('a successor', () =>
    ask().then(
      (status) => status === 200,
      () => false,
    ),
  )
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

test('--workers is refused on the embedded store', async (t) => {
  const { code, stderr } = await run(['--workers', '2', '--data', temporaryFolder(t)])
  assert.equal(code, 1)
  assert.match(stderr, /^kumoi: --workers needs --database: the embedded store is written by one/)
})
