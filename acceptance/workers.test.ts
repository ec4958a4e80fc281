/** Several processes on one port behave as one server (docs/adr/0160). */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, get } from 'node:https'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { engines } from './engines.ts'
import { CLOUD, type ServerProcess, start, temporaryFolder } from './server.ts'

const CONNECTIONS = 16
const ROUNDS = 50

for (const engine of engines) {
  const count = engine.name === 'sqlite' ? 3 : 2

  describe(`--workers ${count} on ${engine.name}`, () => {
    const endings: (() => void)[] = []
    let server: ServerProcess
    let token = ''
    let connections: Agent[] = []

    before(async () => {
      const data = temporaryFolder({ after: (work) => endings.push(work) })
      const flags = [...(await engine.flags()), '--workers', String(count)]
      server = await start(data, flags)
      token = readFileSync(join(data, 'operator.token'), 'utf8').trim()
      connect()
    })
    /**
     * The system gives a burst of connections to whichever process is awake, at times to one alone. So they
     * are made anew until fronts have some and the lead has some: no test shall have met one process alone.
     */
    beforeEach(async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const earlier = await answeredByFronts()
        await askAll()
        const theirs = (await answeredByFronts()) - earlier
        if (theirs > 0 && theirs < CONNECTIONS) return
        connect()
      }
      assert.fail(`all connections were in one process, ${ROUNDS} times`)
    })
    after(async () => {
      await server.stop()
      for (const agent of connections) agent.destroy()
      for (const end of endings) end()
    })

    const connect = () => {
      for (const agent of connections) agent.destroy()
      const options = { keepAlive: true, maxSockets: 1, ca: server.ca }
      connections = Array.from({ length: CONNECTIONS }, () => new Agent(options))
    }
    const operator = async (method: string, path: string, body?: unknown) => {
      const answer = await server.operator(method, path, token, body)
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
      return answer.body
    }
    const whoAmI = (agent: Agent, key?: string) =>
      server.ask('GET', `${CLOUD}/auth-status`, { agent, ...(key === undefined ? {} : { key }) })
    /** The same request over every connection at once. */
    const askAll = (key?: string) => Promise.all(connections.map((agent) => whoAmI(agent, key)))
    const statuses = async (key?: string) => {
      const answers = await askAll(key)
      return [...new Set(answers.map(({ status }) => status))]
    }
    const workers = async () => {
      const lines: string = await operator('GET', '/metrics')
      const found = lines.matchAll(/^kumoi_worker_requests_total\{pid="(\d+)"\} (\d+)$/gm)
      const all = /operation="authStatus",status="200"\} (\d+)/.exec(lines)?.[1]
      return {
        fronts: [...found].map(([, pid, count]) => ({ pid: Number(pid), count: Number(count) })),
        authStatus: Number(all ?? 0),
      }
    }
    const answeredByFronts = async () => {
      const { fronts } = await workers()
      return fronts.reduce((total, { count }) => total + count, 0)
    }
    const createItem = async (name: string): Promise<string> => {
      const body = { CommonServiceItem: { Name: name, Provider: { Class: 'esme' } } }
      const answer = await server.ask('POST', `${CLOUD}/commonserviceitem`, { body })
      assert.equal(answer.status, 201)
      return answer.body.CommonServiceItem.ID
    }

    test('spreads connections, and counts and shows the requests of all processes', async () => {
      const earlier = await workers()
      const serials = new Set<unknown>()
      for (let round = 0; round < 4; round += 1) {
        for (const { headers } of await askAll()) serials.add(headers['x-request-id'])
      }
      assert.equal(serials.size, 4 * CONNECTIONS)
      const { requests } = await operator('GET', '/requests')
      const shown = new Set(requests.map(({ serial }: { serial: string }) => serial))
      assert.ok(
        [...serials].every((serial) => shown.has(serial)),
        'all are shown',
      )
      const times = requests.map(({ time }: { time: string }) => time)
      assert.deepEqual(times, times.toSorted().reverse(), 'newest first')

      const { fronts, authStatus } = await workers()
      assert.equal(fronts.length, count - 1)
      assert.equal(authStatus - earlier.authStatus, 4 * CONNECTIONS)
      assert.ok(
        fronts.some(({ count }) => count > 0),
        'a front has answered',
      )
    })

    test('shows a write to the next read in any process', async () => {
      const id = await createItem('first')
      for (let round = 0; round < 10; round += 1) {
        const name = `round-${round}`
        const agent = connections[round] as Agent
        const body = { CommonServiceItem: { Name: name } }
        const path = `${CLOUD}/commonserviceitem/${id}`
        assert.equal((await server.ask('PUT', path, { agent, body })).status, 200)
        const reads = await Promise.all(
          connections.map((one) => server.ask('GET', path, { agent: one })),
        )
        assert.deepEqual(
          [...new Set(reads.map((read) => read.body.CommonServiceItem.Name))],
          [name],
        )
      }
    })

    test('refuses a revoked key in every process at once', async () => {
      const made = await operator('POST', '/accounts/demo/keys', { permission: 'view' })
      const { token: keyToken } = made.key
      const credentials = `${keyToken}:${made.secret}`
      assert.deepEqual(await statuses(credentials), [200])
      await operator('DELETE', `/accounts/demo/keys/${keyToken}`)
      assert.deepEqual(await statuses(credentials), [401])
    })

    test('lets a fault happen in every process, and ends it in every process', async () => {
      const order = { operation: 'authStatus', effect: { status: 503 } }
      const { fault } = await operator('POST', '/faults', order)
      assert.deepEqual(await statuses(), [503])
      assert.equal((await operator('GET', `/faults/${fault.id}`)).fault.hits, CONNECTIONS)
      await operator('DELETE', '/faults')
      for (const effect of [{ reset: true }, { truncate_bytes: 10 }]) {
        await operator('POST', '/faults', { operation: 'authStatus', effect })
        const cut = await Promise.allSettled(connections.map((agent) => whoAmI(agent)))
        assert.ok(cut.every(({ status }) => status === 'rejected'))
        await operator('DELETE', '/faults')
      }
      assert.deepEqual(await statuses(), [200])
    })

    test('loads a snapshot for every process at once', async () => {
      await operator('POST', '/snapshots', { name: 'before' })
      const path = `${CLOUD}/commonserviceitem/${await createItem('later')}`
      const look = async () => {
        const answers = await Promise.all(
          connections.map((agent) => server.ask('GET', path, { agent })),
        )
        return [...new Set(answers.map(({ status }) => status))]
      }
      assert.deepEqual(await look(), [200])
      await operator('POST', '/snapshots/before/load')
      assert.deepEqual(await look(), [404])
    })

    test('has one clock', async () => {
      const ahead = new Date(Date.now() + 1500)
      await operator('PUT', '/clock', { mode: 'frozen', now: ahead.toISOString() })
      const dates = (await askAll()).map(({ headers }) => headers.date)
      assert.deepEqual([...new Set(dates)], [ahead.toUTCString()])
      // The clock of the machine has to arrive there first.
      await sleep(ahead.getTime() - Date.now() + 1)
      await operator('PUT', '/clock', { mode: 'real' })
      assert.deepEqual(await statuses(), [200])
    })

    test('tells of what all processes have done in one stream of events', async () => {
      const before = await answeredByFronts()
      const heard = new Set<string>()
      const stream = get(`${server.origin}/_kumoi/v1/events`, {
        ca: server.ca,
        headers: { authorization: `Bearer ${token}` },
      })
      const followed = new Promise<void>((resolve, reject) => {
        let wanted: unknown[] | undefined
        const look = () => wanted?.every((serial) => heard.has(String(serial))) && resolve()
        stream.once('error', reject).once('response', (response) => {
          response.setEncoding('utf8').on('data', (text: string) => {
            for (const [, serial = ''] of text.matchAll(/"serial":"(\w+)"/g)) heard.add(serial)
            look()
          })
          void askAll().then((answers) => {
            wanted = answers.map(({ headers }) => headers['x-request-id'])
            look()
          }, reject)
        })
      })
      await followed
      stream.destroy()
      assert.ok((await answeredByFronts()) > before, 'fronts have answered some of them')
    })

    test('replaces a front that was killed, while the others go on', async () => {
      const { fronts } = await workers()
      const [victim] = fronts
      assert.ok(victim !== undefined)
      let isOver = false
      const failures = connections.map(async (agent) => {
        let failed = 0
        while (!isOver) {
          const status = await whoAmI(agent).then((answer) => answer.status, String)
          if (status !== 200) failed += 1
          await sleep(10)
        }
        return failed
      })
      process.kill(victim.pid, 'SIGKILL')
      const hasSuccessor = async () => {
        const agent = new Agent({ ca: server.ca })
        // The first of them may still have been taken by the killed one.
        await Promise.allSettled(connections.map(() => whoAmI(agent)))
        // The connection of the operator may have been one of its own.
        const now = await workers().catch(() => ({ fronts: [] as typeof fronts }))
        const isNew = ({ pid }: { pid: number }) => fronts.every((known) => known.pid !== pid)
        return now.fronts.some((front) => isNew(front) && front.count > 0)
      }
      while (!(await hasSuccessor())) await sleep(50)
      isOver = true
      const failed = await Promise.all(failures)
      // A connection of the killed one ends once; everybody else noticed nothing.
      assert.ok(Math.max(...failed) <= 1, `failures: ${failed}`)
      assert.ok(failed.includes(0), `failures: ${failed}`)
    })

    test('drains all processes on SIGTERM without a failed request', async () => {
      const { fronts } = await workers()
      const id = await createItem('drained')
      const answered = new Set<number>()
      const failures: string[] = []
      const clients = connections.map(async (_, number) => {
        const agent = new WatchedAgent({ keepAlive: true, maxSockets: 1, ca: server.ca })
        for (;;) {
          try {
            const path = `${CLOUD}/commonserviceitem/${id}`
            const body = { CommonServiceItem: { Name: `n${number}` } }
            const { status } =
              number % 2 === 0
                ? await server.ask('GET', path, { agent })
                : await server.ask('PUT', path, { agent, body })
            answered.add(status)
            await sleep(2)
          } catch (error) {
            // Without a connection no request was taken.
            if (agent.isConnected) failures.push(String(error))
            agent.destroy()
            return
          }
        }
      })
      await sleep(300)
      const { code } = await server.stop()
      await Promise.all(clients)
      assert.equal(code, 0)
      assert.deepEqual(failures, [])
      assert.deepEqual([...answered], [200])
      for (const { pid } of fronts) assert.throws(() => process.kill(pid, 0), `${pid} is there`)
    })
  })
}

/** Knows whether the connection that it made last has come about. */
class WatchedAgent extends Agent {
  isConnected = false

  override createConnection(...args: Parameters<Agent['createConnection']>) {
    this.isConnected = false
    const socket = super.createConnection(...args)
    socket?.once('secureConnect', () => {
      this.isConnected = true
    })
    return socket
  }
}
