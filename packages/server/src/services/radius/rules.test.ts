import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Attributes } from './attributes.ts'
import {
  CLOCK_SKEW_MAX_MS,
  DELAY_MAX_MS,
  imeiOf,
  mccMncOf,
  packetTime,
  SESSION_BYTES_MAX,
  statusType,
  subscriberKey,
  usedBytes,
} from './rules.ts'

const NOW = new Date('2026-04-01T12:00:00Z')
const SECONDS = NOW.getTime() / 1000
const octets = { input: 0, inputGigawords: 0, output: 0, outputGigawords: 0 }

describe('a RADIUS packet', () => {
  test('has the time of its element within five minutes of ours, before and after', () => {
    const skew = CLOCK_SKEW_MAX_MS / 1000
    for (const seconds of [-skew, 0, skew]) {
      const { at, isTimed } = packetTime(SECONDS + seconds, 60, NOW)
      assert.deepEqual([at.getTime() - NOW.getTime(), isTimed], [seconds * 1000, true])
    }
    for (const seconds of [-skew - 1, skew + 1]) {
      const { at, isTimed } = packetTime(SECONDS + seconds, 60, NOW)
      assert.deepEqual([at.getTime() - NOW.getTime(), isTimed], [-60_000, false])
    }
  })

  test('without a time came when it came, less its delay, which has a bound', () => {
    assert.deepEqual(packetTime(undefined, undefined, NOW), { at: NOW, isTimed: false })
    const ago = (seconds: number) =>
      NOW.getTime() - packetTime(undefined, seconds, NOW).at.getTime()
    assert.equal(ago(DELAY_MAX_MS / 1000), DELAY_MAX_MS)
    assert.equal(ago(4_294_967_295), DELAY_MAX_MS)
  })

  test('counts on in gigawords where octets begin anew', () => {
    const before = usedBytes({ ...octets, input: 2 ** 32 - 1 })
    const after = usedBytes({ ...octets, input: 0, inputGigawords: 1 })
    assert.equal(after.uplinkBytes - before.uplinkBytes, 1)
    const output = usedBytes({ ...octets, output: 7, outputGigawords: 3 })
    assert.deepEqual(output, { uplinkBytes: 0, downlinkBytes: 3 * 2 ** 32 + 7 })
    const none = { input: undefined, inputGigawords: undefined }
    assert.equal(usedBytes({ ...octets, ...none }).uplinkBytes, 0)
    const most = usedBytes({ ...octets, input: 2 ** 32 - 1, inputGigawords: 2 ** 17 - 1 })
    assert.equal(most.uplinkBytes, SESSION_BYTES_MAX)
    assert.equal(
      usedBytes({ ...octets, inputGigawords: 2 ** 32 - 1 }).uplinkBytes,
      SESSION_BYTES_MAX,
    )
  })

  test('names its SIM by IMSI, else by the number that calls', () => {
    const imsi = '440100000000001'
    assert.deepEqual(subscriberKey(imsi, '818011112222'), { imsi, number: undefined })
    const number = '818011112222'
    assert.deepEqual(subscriberKey(undefined, `+${number}`), { imsi: undefined, number })
    assert.deepEqual(subscriberKey(undefined, 'sip:x'), { imsi: undefined, number: undefined })
    assert.deepEqual(subscriberKey(undefined, undefined), { imsi: undefined, number: undefined })
    for (const wrong of ['12345', '1'.repeat(16), '12345a']) {
      assert.throws(() => subscriberKey(wrong, number), /3GPP-IMSI must have 6 to 15 digits/)
    }
    assert.equal(subscriberKey('123456', undefined).imsi, '123456')
  })

  test('says what kind it is by name or by number', () => {
    const kinds = {
      Start: 'start',
      1: 'start',
      Stop: 'stop',
      2: 'stop',
      'Interim-Update': 'interim',
    }
    const others = {
      3: 'interim',
      'Accounting-On': 'on',
      7: 'on',
      'Accounting-Off': 'off',
      8: 'off',
    }
    for (const [given, kind] of Object.entries({ ...kinds, ...others })) {
      assert.equal(statusType(given), kind)
    }
    for (const given of ['Tunnel-Start', '9', 'Failed', undefined]) {
      assert.equal(statusType(given), undefined)
    }
  })

  test('has an IMEI and a network only in their forms', () => {
    assert.deepEqual(
      [imeiOf('3520990017614823'), imeiOf('35209900176148')].includes(undefined),
      false,
    )
    assert.deepEqual(
      [imeiOf('3520990017614'), imeiOf('35209900176148230'), imeiOf('x')],
      [...[undefined, undefined, undefined]],
    )
    assert.deepEqual(
      [mccMncOf('44010'), mccMncOf('310410'), mccMncOf('4401'), mccMncOf('4401234')],
      [...['44010', '310410', undefined, undefined]],
    )
  })
})

describe('attributes of rlm_rest', () => {
  const read = (packet: object) => Attributes.read(Buffer.from(JSON.stringify(packet)))
  const of = (value: unknown) => read({ A: { type: 'string', value: [value] } })

  test('are read by name, the first value of each', () => {
    assert.equal(read({ A: { type: 'string', value: ['x', 'y'] } }).text('A'), 'x')
    assert.equal(of('44010\0\0').text('A'), '44010')
    assert.equal(of(7).text('A'), '7')
    assert.equal(of('\0').text('A'), undefined)
    assert.equal(of('x'.repeat(253)).text('A')?.length, 253)
    assert.throws(() => of('x'.repeat(254)).text('A'), /A must be text of at most 253 characters/)
    assert.throws(() => of('a\0b').text('A'), /A must be text/)
    for (const wrong of [{ A: null }, { A: 'x' }, { A: {} }, { A: { value: [] } }, {}]) {
      assert.equal(read(wrong).text('A'), undefined)
    }
    assert.equal(read({}).text('constructor'), undefined)
  })

  test('that are numbers have 32 bits', () => {
    assert.equal(of(4_294_967_295).number('A'), 4_294_967_295)
    assert.equal(of('12').number('A'), 12)
    for (const wrong of [4_294_967_296, -1, 1.5, 'x', '12345678901']) {
      assert.throws(() => of(wrong).number('A'), /A must be a whole number/)
    }
    assert.equal(of('192.0.2.1').address('A'), 3_221_225_985)
    assert.equal(of('192.0.2.256').address('A'), undefined)
  })

  test('say when it was by a number, or by a date in UTC', () => {
    const event = (value: unknown, more = {}) =>
      read({ 'Event-Timestamp': { type: 'date', value: [value] }, ...more }).eventSeconds()
    assert.equal(event('Nov 14 2023 22:13:20 UTC'), 1_700_000_000)
    assert.equal(event(1_700_000_000), 1_700_000_000)
    assert.equal(event('Nov 15 2023 07:13:20 JST'), undefined)
    assert.equal(event('no date UTC'), undefined)
    const seconds = { 'Event-Timestamp-Seconds': { type: 'integer', value: [5] } }
    assert.equal(event('Nov 15 2023 07:13:20 JST', seconds), 5)
  })
})
