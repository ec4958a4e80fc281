import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../storage/sql.ts'
import { engines, sharedPostgres } from '../../testing/engines.ts'
import { isMessage } from '../../testing/message-schema.ts'
import { Client, openListening, openMqtt, until } from '../../testing/mqtt.ts'
import { iccidOf } from '../../testing/sims.ts'

const QOS1 = { qos: 1 } as const

for (const engine of engines) {
  describe(`devices by MQTT on ${engine.name}`, () => {
    test('what a device sends is stored before it is acknowledged, and numbered with all others', async (t) => {
      const { client, history, operator, project, device } = await openMqtt(t, engine)
      const sender = await client(1)
      const payload = [{ tag: '01', type: 'uint64', value: '18446744073709551615' }]
      await sender.mqtt.publishAsync('up', JSON.stringify({ payload }), QOS1)
      assert.equal((await history()).length, 1)
      await operator('POST', `/devices/${iccidOf(2)}/messages`, { body: { payload } })
      await sender.mqtt.publishAsync('up/0a', Buffer.from([0, 255, 10]), { ...QOS1, retain: true })
      await sender.mqtt.publishAsync('up/0B', '')
      await until(async () => (await history()).length === 4, 'what was sent at QoS 0')
      const all = await history()
      assert.deepEqual(
        all.map(({ message }) => message.id),
        [1, 2, 3, 4].map((number) => `${project}-${number}`),
      )
      const [first, , raw, empty] = all.map(({ message }) => message)
      assert.ok(isMessage(first))
      assert.deepEqual([first.device_id, first.payload], [device(1).deviceId, payload])
      assert.deepEqual(raw.payload, [{ tag: '0A', type: 'binary', value: 'AP8K' }])
      assert.deepEqual(empty.payload, [{ tag: '0B', type: 'binary', value: '' }])
    })

    test('a message that is refused is acknowledged and answered on down/errors', async (t) => {
      const { client, history } = await openMqtt(t, engine)
      const listener = await client(1)
      const other = await client(2)
      await listener.mqtt.subscribeAsync('down/errors', QOS1)
      await other.mqtt.subscribeAsync('down/errors', QOS1)
      const sender = await client(1)
      const payload = [{ tag: '01', type: 'bool', value: true }]
      const broken = [
        'not json',
        JSON.stringify({ payload: [] }),
        JSON.stringify({ payload, device_id: 'another', ref: 'r' }),
        'x'.repeat(64 * 1024 + 1),
      ]
      for (const text of broken) await sender.mqtt.publishAsync('up', text, QOS1)
      await sender.mqtt.publishAsync('up/01', Buffer.alloc(64 * 1024 + 1), QOS1)
      await listener.got(5)
      const errors = listener.received.map(({ text }) => JSON.parse(text))
      assert.ok(errors.every(isMessage), JSON.stringify(errors))
      assert.deepEqual(
        errors.map(({ error_code }) => error_code),
        ['bad_request', 'bad_request', 'bad_request', 'request_too_large', 'request_too_large'],
      )
      assert.equal(errors[2].ref, 'r')
      assert.deepEqual(await history(), [])
      assert.deepEqual([other.received.length, sender.isClosed], [0, false])
    })

    test('a device gets what is kept, then what comes, and what it has not acknowledged again', async (t) => {
      const { client, raw, tell } = await openMqtt(t, engine)
      await tell(1, 'a')
      await tell(1, 'b')
      const first = await raw(1)
      first.send({ cmd: 'subscribe', messageId: 1, subscriptions: [{ topic: 'down', qos: 1 }] })
      await until(() => first.of('publish').length === 2, 'what is kept')
      await tell(1, 'c')
      await until(() => first.of('publish').length === 3, 'what comes')
      // The first alone: a device that comes back gets the others again.
      first.send({ cmd: 'puback', messageId: first.of('publish')[0]?.messageId ?? 0 })
      first.send({ cmd: 'pingreq' })
      await until(() => first.of('pingresp').length === 1, 'the answer to the ping')
      first.destroy()
      await until(async () => {
        const again = await client(1)
        await again.mqtt.subscribeAsync('down', QOS1)
        await again.got(2)
        await again.mqtt.endAsync()
        return again.values.join() === 'b,c'
      }, 'all but the first')
      const last = await client(1)
      await last.mqtt.subscribeAsync('down', { qos: 0 })
      await tell(1, 'd')
      await last.got(1)
      assert.deepEqual([last.values, last.received[0]?.qos], [['d'], 0])
    })

    test('many for one device come in their order, however few it acknowledges at once', async (t) => {
      const { client, tell } = await openMqtt(t, engine)
      const values = Array.from({ length: 35 }, (_, index) => String(index))
      for (const value of values.slice(0, 25)) await tell(1, value)
      const reader = await client(1)
      await reader.mqtt.subscribeAsync('down', QOS1)
      for (const value of values.slice(25)) await tell(1, value)
      await reader.got(values.length)
      assert.deepEqual(reader.values, values)
    })

    test('a session that is kept remembers its subscriptions; a clean one does not', async (t) => {
      const { client, tell } = await openMqtt(t, engine)
      const kept = { clientId: 'kept', clean: false, resubscribe: false }
      const first = await client(1, kept)
      await first.mqtt.subscribeAsync('down', QOS1)
      await first.mqtt.endAsync()
      await tell(1, 'while away')
      const second = await client(1, kept)
      await second.got(1)
      assert.deepEqual(second.values, ['while away'])
      await second.mqtt.unsubscribeAsync('down')
      await tell(1, 'to nobody')
      const third = await client(1, { ...kept, clientId: 'another' })
      await third.mqtt.subscribeAsync('down', QOS1)
      await third.got(1)
      assert.deepEqual([third.values, second.values], [['to nobody'], ['while away']])
    })

    test('devices neither see nor disturb each other, even under one name', async (t) => {
      const { client, tell, history } = await openMqtt(t, engine)
      const one = await client(1, { clientId: 'same' })
      const two = await client(2, { clientId: 'same' })
      for (const each of [one, two]) await each.mqtt.subscribeAsync('down', QOS1)
      await tell(1, 'for one')
      await tell(2, 'for two')
      await one.mqtt.publishAsync('up/01', 'x', QOS1)
      await Promise.all([one.got(1), two.got(1)])
      assert.deepEqual([one.values, two.values], [['for one'], ['for two']])
      assert.deepEqual([one.isClosed, two.isClosed], [false, false])
      assert.equal((await history()).length, 3)
      const again = await client(1, { clientId: 'same' })
      await one.closed()
      assert.equal(again.isClosed, false)
    })

    test('deactivation and a new secret end the connection', async (t) => {
      const { client, raw, ask, device, newSecret, history } = await openMqtt(t, engine)
      const [first, second] = [await client(1), await client(2)]
      await ask('PUT', `/commonserviceitem/${device(1).sim}/sim/deactivate`)
      await first.mqtt.publishAsync('up/01', 'too late', QOS1)
      await newSecret(2)
      await Promise.all([first.closed(), second.closed()])
      assert.deepEqual(await history(), [])
      assert.deepEqual([(await raw(1)).returnCode, (await raw(2)).returnCode], [5, 4])
    })

    test('a repeat is stored once: marked as one, or the first after a crash of ours', async (t) => {
      const { raw, history, database, device } = await openMqtt(t, engine)
      const count = async () => (await history()).length
      const first = await raw(1)
      await first.publish(7, 'a')
      await first.publish(7, 'a', true)
      assert.equal(await count(), 1, 'marked as a repeat')
      await first.publish(7, 'b', true)
      await first.publish(8, 'a', true)
      await first.publish(7, 'a')
      assert.equal(await count(), 4, 'other content, another id, not marked')
      const other = await raw(1, { clientId: 'other' })
      await other.publish(7, 'a', true)
      assert.equal(await count(), 5, 'another session')
      first.destroy()
      const second = await raw(1)
      await second.publish(7, 'a', true)
      assert.equal(await count(), 5, 'marked, on the next connection')
      await second.publish(7, 'a')
      assert.equal(await count(), 6, 'not marked: a device that has started anew')
      second.destroy()

      // As a process leaves it that was killed.
      const third = await raw(1, { clientId: 'cut' })
      await third.publish(1, 'a')
      third.destroy()
      const { sim } = device(1)
      await until(async () => {
        const open = await database.read((tx) =>
          tx.all(sql`SELECT client FROM iot_session WHERE sim_id = ${sim} AND client = 'cut'`),
        )
        return open.length === 0
      }, 'the end of the session')
      await database.write((tx) =>
        tx.run(
          sql`INSERT INTO iot_session (sim_id, client, opened_by, subscriptions, used_at)
              VALUES (${sim}, 'cut', 'a process of before', '[]', 0)`,
        ),
      )
      const fourth = await raw(1, { clientId: 'cut' })
      await fourth.publish(1, 'a')
      assert.equal(await count(), 7, 'the first use of its id after a crash')
      await fourth.publish(1, 'a')
      assert.equal(await count(), 8, 'the second use')
    })

    test('what many send at once is stored in the order of each', async (t) => {
      const { client, history } = await openMqtt(t, engine)
      const clients = [await client(1), await client(2)]
      const sent = clients.flatMap(({ mqtt }, at) =>
        Array.from({ length: 40 }, (_, n) => mqtt.publishAsync('up/01', `${at} ${n}`, QOS1)),
      )
      await Promise.all(sent)
      const texts = (await history()).map(({ message }) =>
        Buffer.from(message.payload[0].value, 'base64').toString(),
      )
      assert.equal(texts.length, 80)
      for (const at of [0, 1]) {
        const own = texts.filter((text) => text.startsWith(String(at)))
        assert.deepEqual(
          own,
          Array.from({ length: 40 }, (_, n) => `${at} ${n}`),
        )
      }
    })
  })
}

const openShared = sharedPostgres
if (openShared !== undefined) {
  test('a message that another process accepts reaches the device, which another secret sends away', async (t) => {
    const engine = await openShared()
    const near = await openMqtt(t, engine)
    const { plainPort } = await openListening(t, engine)
    const credentials = { username: iccidOf(1), password: near.device(1).secret }
    const reader = await Client.open(t, plainPort, credentials)
    await reader.mqtt.subscribeAsync('down', QOS1)
    await near.tell(1, 'from afar')
    await reader.got(1)
    assert.deepEqual(reader.values, ['from afar'])
    await near.newSecret(1)
    await reader.closed()
  })
}
