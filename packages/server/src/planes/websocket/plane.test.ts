import assert from 'node:assert/strict'
import { createServer, request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { upgradeListener } from '../../http/upgrade.ts'
import { RunningClock } from '../../kernel/clock.ts'
import { oneKey } from '../../kernel/encryption-key.ts'
import { silentLog } from '../../kernel/log.ts'
import { SeededRandom } from '../../kernel/random.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import { ProjectQueue } from '../../services/iot/project-queue.ts'
import { LiveMessages } from '../../services/iot/public.ts'
import { Signals } from '../../services/iot/signals.ts'
import { engines, onSqlite, sharedPostgres, type TestEngine } from '../../testing/engines.ts'
import { openIot } from '../../testing/iot.ts'
import { isMessage } from '../../testing/message-schema.ts'
import { iccidOf } from '../../testing/sims.ts'
import { Client } from '../../testing/websocket-client.ts'
import { TIMES, WebsocketPlane } from './plane.ts'

async function open(t: TestContext, engine: TestEngine) {
  const iot = await openIot(t, { engine })
  const port = await iot.cloud.api.listen('127.0.0.1', 0)
  const project = await iot.createProject()
  const { device_id } = await iot.connect(project, await iot.createSim(1))
  const adapter = await iot.createAdapter(project, 'websocket')
  const address = `ws://127.0.0.1:${port}${new URL(adapter.url).pathname}`
  const send = async (value: unknown, type = 'uint64') => {
    const body = { payload: [{ tag: '00', type, value }] }
    const sent = await iot.operator('POST', `/devices/${iccidOf(1)}/messages`, { body })
    assert.equal(sent.status, 202, sent.text)
    return sent.body.message
  }
  return { ...iot, port, project, device_id, adapter, address, send }
}

/** The status of the answer to a client that asks for a websocket. */
function upgradeStatus(url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const outgoing = request(url.replace('ws:', 'http:'), {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    })
    outgoing.on('response', async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode, body })
    })
    outgoing.on('upgrade', (_response, socket) => {
      socket.destroy()
      resolve({ status: 101, body: '' })
    })
    outgoing.on('error', reject)
    outgoing.end()
  })
}

for (const engine of engines) {
  describe(`websocket adapters on ${engine.name}`, () => {
    test('several readers each get everything, by the token in the url or as Bearer', async (t) => {
      const { address, adapter, port, send } = await open(t, engine)
      const bare = `ws://127.0.0.1:${port}/iot/v1/websocket`
      const readers = [
        await Client.open(t, address),
        await Client.open(t, address),
        await Client.open(t, bare, { authorization: `Bearer ${adapter.token}` }),
      ]
      const sent = [await send('18446744073709551615'), await send('1'), await send('2')]
      for (const reader of readers) {
        await reader.got(sent.length)
        assert.deepEqual(reader.messages, sent)
        assert.ok(reader.messages.every(isMessage))
      }
    })

    test('a reader that comes later gets what is new, or all since the message that it names', async (t) => {
      const { address, send } = await open(t, engine)
      const old = [await send('1'), await send('2'), await send('3')]
      const fresh = await Client.open(t, address)
      const replay = await Client.open(t, `${address}?since=${old[0].id}`)
      await replay.got(2)
      const next = await send('4')
      await replay.got(3)
      await fresh.got(1)
      assert.deepEqual(replay.messages, [old[1], old[2], next])
      assert.deepEqual(fresh.messages, [next])
    })

    test('a client sends to a device and is answered by a notify, or by an error', async (t) => {
      const { address, operator, device_id } = await open(t, engine)
      const client = await Client.open(t, address)
      const payload = [{ tag: '7F', type: 'int64', value: '-5' }]
      client.send(JSON.stringify({ device_id, ref: 'a', payload }))
      client.send(JSON.stringify({ device_id: 'nobody', ref: 'b', payload }))
      client.send('not json')
      client.send(new Uint8Array([1, 2, 3]))
      await client.got(4)
      const [notify, unknown, broken, binary] = client.messages
      assert.ok(client.messages.every(isMessage), client.texts.join('\n'))
      assert.deepEqual([notify.type, notify.ref, notify.status], ['notify', 'a', 'accepted'])
      assert.deepEqual([unknown.type, unknown.ref, unknown.error_code], ['error', 'b', 'not_found'])
      assert.deepEqual([broken.type, broken.error_code], ['error', 'bad_request'])
      assert.equal(binary.error_code, 'bad_request')
      const { messages } = (await operator('GET', `/devices/${iccidOf(1)}/messages`)).body
      assert.deepEqual(messages.length, 1)
      assert.deepEqual([messages[0].id, messages[0].payload], [notify.id, payload])
    })

    test('one that sends too much at once is closed with 1009', async (t) => {
      const { address } = await open(t, engine)
      const client = await Client.open(t, address)
      client.send('x'.repeat(64 * 1024 + 1))
      await client.until(() => client.closed !== undefined)
      assert.equal(client.closed?.code, 1009)
    })

    test('a wrong token is 401, another path 404, a wrong since 400, in the failure body', async (t) => {
      const { address, port, project, createAdapter } = await open(t, engine)
      const base = `ws://127.0.0.1:${port}`
      const other = await createAdapter(project, 'incoming-webhook')
      for (const [url, status, code] of [
        [`${base}/iot/v1/websocket/wrong`, 401, 'unauthorized'],
        [`${base}/iot/v1/websocket`, 401, 'unauthorized'],
        [`${base}/iot/v1/websocket/${other.token}`, 401, 'unauthorized'],
        [`${base}/elsewhere`, 404, 'not_found'],
        [`${address}?since=x`, 400, 'bad_request'],
      ] as const) {
        const answer = await upgradeStatus(url)
        assert.equal(answer.status, status, url)
        assert.equal(JSON.parse(answer.body).error_code, code)
      }
      assert.equal((await upgradeStatus(address)).status, 101)
    })

    test('readers of a deleted adapter are sent away', async (t) => {
      const { address, adapter, project, vmgw } = await open(t, engine)
      const client = await Client.open(t, address)
      await vmgw('DELETE', project, `/services/${adapter.id}`)
      await client.until(() => client.closed !== undefined)
      assert.equal(client.closed?.code, 1008)
      assert.equal((await upgradeStatus(address)).status, 401)
    })

    test('readers do not hold up the end of the server', async (t) => {
      const { address, cloud } = await open(t, engine)
      const client = await Client.open(t, address)
      await cloud.api.close()
      await client.until(() => client.closed !== undefined)
      assert.equal(client.closed?.code, 1001)
    })
  })
}

const openShared = sharedPostgres
if (openShared !== undefined) {
  test('a reader gets what another process has accepted', async (t) => {
    const engine = await openShared()
    const reading = await openIot(t, { engine })
    const port = await reading.cloud.api.listen('127.0.0.1', 0)
    const { adapter, send, project, vmgw } = await open(t, engine)
    const client = await Client.open(t, `ws://127.0.0.1:${port}/iot/v1/websocket/${adapter.token}`)
    const sent = [await send('1'), await send('2')]
    await client.got(2)
    assert.deepEqual(client.messages, sent)
    await vmgw('DELETE', project, `/services/${adapter.id}`)
    assert.equal(
      (await upgradeStatus(`ws://127.0.0.1:${port}/iot/v1/websocket/${adapter.token}`)).status,
      401,
    )
  })
}

describe('a websocket plane with little patience', () => {
  async function openPlane(t: TestContext, times: Partial<typeof TIMES>) {
    const iot = await open(t, onSqlite)
    const signals = new Signals()
    // As the cloud of the test has it.
    const box = new SecretBox(oneKey(Buffer.alloc(32, 7)))
    const live = new LiveMessages(iot.database, box, signals, new ProjectQueue(iot.database))
    const log = silentLog
    const machine = new RunningClock()
    const plane = new WebsocketPlane({ live, machine, world: iot.clock, log, ...TIMES, ...times })
    const server = createServer()
    server.on('upgrade', upgradeListener(plane, new SeededRandom('x'), log))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => {
      plane.close()
      server.close()
      server.closeAllConnections()
    })
    const { port } = server.address() as AddressInfo
    return { ...iot, server, port, path: `/iot/v1/websocket/${iot.adapter.token}` }
  }

  /** A client that says hello, and then neither reads nor answers. */
  function deaf(t: TestContext, port: number, path: string): void {
    const socket = connect(port, '127.0.0.1')
    socket.pause()
    socket.on('error', () => undefined)
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13'
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`,
    )
    t.after(() => socket.destroy())
  }

  const connections = (server: Server) =>
    new Promise<number>((resolve, reject) => {
      server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
    })

  test('closes a reader that takes nothing, while another gets everything', async (t) => {
    const { server, port, path, project, send } = await openPlane(t, { stallMs: 300 })
    const text = 'x'.repeat(60_000)
    const count = 300
    for (let n = 0; n < count; n += 1) await send(text, 'string')
    deaf(t, port, `${path}?since=${project}-0`)
    const reader = await Client.open(t, `ws://127.0.0.1:${port}${path}?since=${project}-0`)
    await reader.got(count)
    for (let waited = 0; (await connections(server)) > 1; waited += 20) {
      assert.ok(waited < 20_000, 'the deaf reader is still there')
      await sleep(20)
    }
    assert.equal(reader.closed, undefined)
  })

  test('closes a reader that answers no ping, and keeps one that does', async (t) => {
    const { server, port, path } = await openPlane(t, { pingMs: 50 })
    const reader = await Client.open(t, `ws://127.0.0.1:${port}${path}`)
    deaf(t, port, path)
    while ((await connections(server)) < 2) await sleep(5)
    for (let waited = 0; (await connections(server)) > 1; waited += 20) {
      assert.ok(waited < 20_000, 'the deaf reader is still there')
      await sleep(20)
    }
    await sleep(200)
    assert.equal(reader.closed, undefined)
  })
})
