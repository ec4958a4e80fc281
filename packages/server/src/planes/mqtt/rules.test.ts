import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { describe, test } from 'node:test'
import { generate } from 'mqtt-packet'
import { stopwatch } from '../../kernel/clock.ts'
import { limitPackets, PacketMeter } from './packet-limit.ts'
import { Rate } from './rate.ts'
import { isDownTopic, readUpTopic } from './topics.ts'

describe('topics', () => {
  test('a device sends to up, or to up and a tag', () => {
    assert.deepEqual(readUpTopic('up'), { tag: undefined })
    assert.deepEqual(readUpTopic('up/0a'), { tag: '0A' })
    for (const other of ['', 'up/', 'up/G0', 'up/0a/0b', 'UP', 'down', '/up', 'up\n', '$SYS/up']) {
      assert.equal(readUpTopic(other), undefined, other)
    }
  })

  test('and reads down and down/errors alone', () => {
    assert.ok(isDownTopic('down') && isDownTopic('down/errors'))
    for (const other of ['#', '+', 'down/#', 'down/+', 'up', '$SYS/#', 'down/']) {
      assert.ok(!isDownTopic(other), other)
    }
  })
})

describe('the size of packets', () => {
  const publish = (size: number) =>
    generate({
      ...({
        cmd: 'publish',
        topic: 'up',
        qos: 1,
        messageId: 1,
        dup: false,
        retain: false,
      } as const),
      payload: Buffer.alloc(size),
    })
  /** Without its first byte and the bytes of its length. */
  const lengthOf = (packet: Buffer) => packet.length - (packet.length > 130 ? 3 : 2)

  test('is followed over any cuts', () => {
    const packets = [publish(0), generate({ cmd: 'pingreq' }), publish(300), publish(100)]
    const all = Buffer.concat(packets)
    for (const step of [1, 2, 3, 7, 150, all.length]) {
      const most = lengthOf(publish(300))
      const meters = [new PacketMeter(most), new PacketMeter(most - 1)]
      const passes = meters.map((meter) => {
        for (let at = 0; at < all.length; at += step) {
          if (!meter.passes(all.subarray(at, at + step))) return false
        }
        return true
      })
      assert.deepEqual(passes, [true, false], `in steps of ${step}`)
    }
  })

  test('of a length without an end is too large', () => {
    assert.ok(!new PacketMeter(2 ** 28).passes(Buffer.from([0x30, 0xff, 0xff, 0xff, 0xff, 0xff])))
  })

  test('ends the stream before a packet that is too large is collected', async () => {
    const socket = new PassThrough()
    const ended = new Promise((resolve) => socket.once('error', resolve))
    limitPackets(socket, 100)
    socket.write(publish(50))
    assert.deepEqual(socket.read(), publish(50))
    socket.write(publish(200).subarray(0, 10))
    assert.equal(socket.read(), null)
    assert.match(String(await ended), /too large/)
  })
})

describe('the rate of a device', () => {
  test('lets a second’s worth through at once, and then so many a second', () => {
    let now = 10_000
    const rate = new Rate(10, () => now)
    const waits = Array.from({ length: 12 }, () => Math.max(0, rate.take() - now))
    assert.deepEqual(waits, [...Array(10).fill(0), 100, 200])
    now += 200
    assert.equal(rate.take() - now, 100)
    now += 5000
    assert.ok(rate.take() < now)
  })

  test('lets them through in order', async () => {
    const rate = new Rate(1000, stopwatch())
    const order: number[] = []
    const turns = Array.from({ length: 1030 }, async (_, n) => {
      await rate.wait()
      order.push(n)
    })
    await Promise.all(turns)
    assert.deepEqual(
      order,
      Array.from({ length: 1030 }, (_, n) => n),
    )
  })
})
