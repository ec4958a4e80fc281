import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseId } from '../../kernel/ids.ts'
import { isMessage, isSent } from '../../testing/message-schema.ts'
import { MESSAGE_BYTES_MAX, PAYLOAD_MAX, VALUE_TYPES, type ValueType } from './message-rules.ts'
import { draftFromBytes, messageToWire } from './message-wire.ts'

const read = (text: string) => draftFromBytes(Buffer.from(text))
/** `value` is JSON text, so that numbers come as they are written. */
const one = (type: string, value: string, tag = '0A') =>
  `{"payload":[{"tag":"${tag}","type":"${type}","value":${value}}]}`
const kept = (type: string, value: string) => read(one(type, value)).payload[0]?.value

describe('values of messages', () => {
  const limits: [ValueType, string, string][] = [
    ['uint8', '0', '255'],
    ['uint16', '0', '65535'],
    ['uint32', '0', '4294967295'],
    ['int8', '-128', '127'],
    ['int16', '-32768', '32767'],
    ['int32', '-2147483648', '2147483647'],
    ['uint64', '0', '18446744073709551615'],
    ['int64', '-9223372036854775808', '9223372036854775807'],
  ]
  for (const [type, least, most] of limits) {
    test(`${type} goes from ${least} to ${most}, and not one further`, () => {
      for (const value of [least, most]) assert.equal(String(kept(type, value)), value)
      for (const value of [BigInt(least) - 1n, BigInt(most) + 1n]) {
        assert.throws(() => kept(type, String(value)), /payload\[0\]\.value is no/)
      }
      for (const value of ['1.5', '"x"', 'true', 'null', '1e3', '"1.0"', '[]', '{}']) {
        assert.throws(() => kept(type, value), /payload\[0\]\.value/, value)
      }
    })
  }

  test('64-bit integers keep every digit, as numbers and as texts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        assert.equal(kept('int64', String(value)), String(value))
        assert.equal(kept('int64', `"${value}"`), String(value))
      }),
    )
    // Between two numbers that a double can hold.
    assert.equal(kept('uint64', '9007199254740993'), '9007199254740993')
    assert.throws(() => kept('uint64', '9007199254740991.4'), /is no uint64/)
    assert.throws(() => kept('uint32', '"5"'), /is no uint32/)
  })

  test('floats are finite, and of 32 bits only where they fit', () => {
    assert.equal(kept('float64', '1.7976931348623157e308'), Number.MAX_VALUE)
    assert.throws(() => kept('float64', '1e309'), /is no float64/)
    assert.equal(kept('float32', '3.4028234663852886e38'), 3.4028234663852886e38)
    assert.throws(() => kept('float32', '3.5e38'), /is no float32/)
    assert.equal(kept('float32', '2.0'), 2)
  })

  test('binary is base64, and nothing else', () => {
    for (const value of ['', 'AA==', 'AAA=', 'AAAA'])
      assert.equal(kept('binary', `"${value}"`), value)
    for (const value of ['A', 'AA', 'AA=', 'A-A=', 'AA==AA==', ' AAAA']) {
      assert.throws(() => kept('binary', `"${value}"`), /is no binary/, value)
    }
  })

  test('a broken message is refused by the path of what is wrong', () => {
    const broken: [string, RegExp][] = [
      ['', /JSON/],
      ['[]', /object/],
      ['5', /object/],
      ['{}', /payload/],
      ['{"payload":[]}', /payload/],
      ['{"payload":{}}', /payload/],
      ['{"payload":[1]}', /payload\[0\]/],
      [one('uint8', '1', 'G0'), /payload\[0\]\.tag/],
      [one('uint8', '1', '0'), /payload\[0\]\.tag/],
      [one('uint128', '1'), /payload\[0\]\.type/],
      ['{"type":"notify","payload":[]}', /type/],
      ['{"datetime":"yesterday","payload":[]}', /datetime/],
      ['{"device_id":5,"payload":[]}', /device_id/],
      [`{"ref":"${'x'.repeat(65)}","payload":[]}`, /ref/],
    ]
    for (const [text, message] of broken) assert.throws(() => read(text), message, text)
  })

  test('there are as many values as tags, and not one more', () => {
    const channels = (count: number) =>
      `{"payload":[${Array(count).fill('{"tag":"00","type":"bool","value":true}').join(',')}]}`
    assert.equal(read(channels(PAYLOAD_MAX)).payload.length, PAYLOAD_MAX)
    assert.throws(() => read(channels(PAYLOAD_MAX + 1)), /payload/)
  })

  test('a message has so many bytes, and not one more', () => {
    const empty = one('string', '""').length
    const fits = one('string', `"${'x'.repeat(MESSAGE_BYTES_MAX - empty)}"`)
    assert.equal(Buffer.byteLength(fits), MESSAGE_BYTES_MAX)
    assert.equal(read(fits).payload.length, 1)
    assert.throws(() => read(`${fits} `), /at most 65536 bytes/)
  })

  const channel = fc
    .record({
      tag: fc.nat(255).map((tag) => tag.toString(16).padStart(2, '0').toUpperCase()),
      type: fc.constantFrom(...VALUE_TYPES),
      value: fc.oneof(
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.boolean(),
        fc.string(),
        fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
        fc.base64String(),
      ),
    })
    .filter(({ value }) => !Object.is(value, -0))

  test('what is accepted is as the published schema says, on the way in and out', () => {
    const projectId = parseId<'item'>('910000000001')
    assert.ok(projectId)
    let accepted = 0
    fc.assert(
      fc.property(channel, (given) => {
        const sent = { payload: [given] }
        let draft: ReturnType<typeof read>
        try {
          draft = read(JSON.stringify(sent))
        } catch {
          return
        }
        accepted += 1
        assert.ok(isSent(sent), JSON.stringify(sent))
        const at = new Date(0)
        const { payload } = draft
        const message = { projectId, number: 1, direction: 'up', payload } as const
        const ids = { deviceId: 'a'.repeat(32), sentAt: at, createdAt: at }
        const wire = messageToWire({ ...message, ...ids })
        // Through JSON, as it travels.
        const travelled = JSON.parse(JSON.stringify(wire))
        assert.ok(isMessage(travelled), JSON.stringify(travelled))
        const again = read(JSON.stringify({ payload: travelled.payload }))
        assert.deepEqual(again.payload, draft.payload)
      }),
      { numRuns: 2000 },
    )
    assert.ok(accepted > 100, `only ${accepted} were accepted`)
  })
})
