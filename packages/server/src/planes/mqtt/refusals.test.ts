/** What is refused: connections, topics, packets. The engine does not matter here. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Packet } from 'mqtt-packet'
import { Unavailable } from '../../kernel/errors.ts'
import { onSqlite } from '../../testing/engines.ts'
import { openMqtt, until } from '../../testing/mqtt.ts'
import { iccidOf } from '../../testing/sims.ts'

describe('a device is not let in', () => {
  test('with a wrong card or secret, with a will, or with a name that is none', async (t) => {
    const { raw, device } = await openMqtt(t, onSqlite)
    const will = { topic: 'up', payload: Buffer.from('x'), qos: 1, retain: false } as const
    const cases = [
      [{}, 0],
      [{ password: Buffer.from('wrong') }, 4],
      [{ username: '', password: Buffer.alloc(0) }, 4],
      [{ username: iccidOf(2) }, 4],
      [{ username: iccidOf(3) }, 4],
      [{ username: `${iccidOf(1)}/x` }, 4],
      [{ password: Buffer.from(`${device(1).secret} `) }, 4],
      [{ will }, 5],
      [{ clientId: 'x'.repeat(129) }, 2],
      [{ clientId: 'x\ny' }, 2],
      [{ clientId: '', clean: true }, 0],
      [{ protocolVersion: 5 as const }, 1],
    ] as const
    for (const [options, code] of cases) {
      const client = await raw(1, options)
      assert.equal(client.returnCode, code, JSON.stringify(options))
      if (code !== 0) await client.closed()
    }
  })

  test('in a project that it has left', async (t) => {
    const { raw, client, vmgw, project, device } = await openMqtt(t, onSqlite)
    const connected = await client(1)
    await vmgw('DELETE', project, `/sims/${device(1).sim}/ip`)
    await vmgw('DELETE', project, `/sims/${device(1).sim}`)
    await connected.closed()
    assert.equal((await raw(1)).returnCode, 5)
  })

  test('past the number of connections of its account, until one has ended', async (t) => {
    const { raw, operator } = await openMqtt(t, onSqlite)
    const settings = { iot_connections_per_account: 2 }
    await operator('POST', '/world', { body: { version: 1, settings } })
    const clients = await Promise.all([1, 2, 3].map((n) => raw(1, { clientId: String(n) })))
    assert.deepEqual(clients.map(({ returnCode }) => returnCode).sort(), [0, 0, 3])
    clients.find(({ returnCode }) => returnCode === 0)?.destroy()
    await until(async () => (await raw(2)).returnCode === 0, 'a free place')
  })

  test('after a packet that is no CONNECT, or that says it twice', async (t) => {
    const { raw } = await openMqtt(t, onSqlite)
    const client = await raw(1)
    client.send({ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4, clientId: 'again' })
    await client.closed()
  })
})

const publish = (topic: string, qos: 0 | 1 | 2 = 1): Packet => ({
  ...{ cmd: 'publish', topic, qos, payload: 'x', messageId: 1, dup: false, retain: false },
})

describe('the connection ends', () => {
  const subscribe = (...topics: string[]): Packet => ({
    ...{ cmd: 'subscribe', messageId: 1 },
    subscriptions: topics.map((topic) => ({ topic, qos: 1 })),
  })
  const packets = [
    publish('other'),
    publish('down'),
    publish('down/errors'),
    publish('up/GG'),
    publish('$SYS/broker'),
    publish(`${iccidOf(2)}/up`, 0),
    publish('up', 2),
    subscribe('#'),
    subscribe('+'),
    subscribe('down', 'up'),
    subscribe('down/#'),
    subscribe('$SYS/#'),
  ]

  test('on a topic that is not of the device, and nothing is stored', async (t) => {
    const { raw, history } = await openMqtt(t, onSqlite)
    for (const packet of packets) {
      const client = await raw(1)
      assert.equal(client.returnCode, 0)
      client.send(packet)
      await client.closed()
      assert.deepEqual(
        client.received.map(({ cmd }) => cmd),
        ['connack'],
        JSON.stringify(packet),
      )
    }
    assert.deepEqual(await history(), [])
  })

  test('on a packet that is too large or broken, and the others go on', async (t) => {
    const { raw, client } = await openMqtt(t, onSqlite)
    const good = await client(2)
    const large = await raw(1)
    // PUBLISH of 200,000,000 bytes.
    large.bytes(Buffer.from([0x32, 0x80, 0x84, 0xaf, 0x5f, 0x00, 0x02]))
    const broken = await raw(1, { clientId: 'broken' })
    broken.bytes(Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff]))
    await Promise.all([large.closed(), broken.closed()])
    await good.mqtt.publishAsync('up/01', 'x', { qos: 1 })
    assert.equal(good.isClosed, false)
  })

  test('with the server, after what was received is stored; what comes then is not acknowledged', async (t) => {
    const { raw, plane, history } = await openMqtt(t, onSqlite)
    const client = await raw(1)
    await client.publish(1, 'before')
    client.send(publish('up/01'))
    await plane.close()
    await client.closed()
    assert.equal(client.of('puback').length, (await history()).length)
  })
})

describe('a database that is away', () => {
  test('ends the connection without an acknowledgement, and the repeat is stored', async (t) => {
    const { raw, database, history } = await openMqtt(t, onSqlite)
    const first = await raw(1)
    const { write } = database
    database.write = () => Promise.reject(new Unavailable('Away.', '不在です。'))
    first.send(publish('up/01'))
    await first.closed()
    assert.deepEqual(first.of('puback'), [])
    assert.equal((await raw(1)).returnCode, 3)
    database.write = write
    const second = await raw(1)
    await second.publish(1, 'x', true)
    assert.equal((await history()).length, 1)
  })
})

test('a port that is taken is a sentence', async (t) => {
  const { plane, plainPort } = await openMqtt(t, onSqlite)
  const address = { host: '127.0.0.1', port: undefined, tls: undefined, plainPort }
  await assert.rejects(plane.listen(address), /Cannot listen for MQTT on 127\.0\.0\.1, port \d+: /)
})

describe('what /metrics shows', () => {
  test('are connections and messages', async (t) => {
    const { client, tell, operator } = await openMqtt(t, onSqlite)
    const one = await client(1)
    await one.mqtt.subscribeAsync('down', { qos: 1 })
    await one.mqtt.publishAsync('up', 'broken', { qos: 1 })
    await one.mqtt.publishAsync('up/01', 'x', { qos: 1 })
    await tell(1, 'x')
    await one.got(1)
    const { text } = await operator('GET', '/metrics')
    assert.match(text, /^kumoi_mqtt_connections 1$/m)
    for (const direction of ['up', 'down', 'refused']) {
      assert.ok(text.includes(`kumoi_mqtt_messages_total{direction="${direction}"} 1`), direction)
    }
  })
})
