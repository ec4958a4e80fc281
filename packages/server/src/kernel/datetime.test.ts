import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  japanDayStart,
  japanMonth,
  japanMonthStart,
  japanPlain,
  japanTime,
  nextJapanMonthStart,
  parseDatetime,
  parseDay,
  parseJapanPlain,
  utcMicros,
  utcMillis,
  utcOffset,
} from './datetime.ts'

const april = new Date('2026-04-01T00:00:00Z')

/** Whole milliseconds that keep to four digits of year in UTC and in Japan. */
const instants = fc.date({
  min: new Date('0000-01-02T00:00:00Z'),
  max: new Date('9999-12-30T00:00:00Z'),
  noInvalidDate: true,
})

const wholeSecond = (date: Date) => new Date(Math.floor(date.getTime() / 1000) * 1000)

describe('forms of a datetime', () => {
  test('show the same instant as the interface does', () => {
    assert.equal(japanTime(april), '2026-04-01T09:00:00+09:00')
    assert.equal(utcOffset(april), '2026-04-01T00:00:00+00:00')
    assert.equal(utcMicros(april), '2026-04-01T00:00:00.000000Z')
    assert.equal(japanPlain(april), '2026-04-01 09:00:00')
    assert.equal(japanMonth(april), '202604')
  })

  test('cut off the milliseconds, but for the form that has microseconds', () => {
    const date = new Date('2026-04-01T00:00:00.987Z')
    assert.equal(japanTime(date), '2026-04-01T09:00:00+09:00')
    assert.equal(utcOffset(date), '2026-04-01T00:00:00+00:00')
    assert.equal(utcMicros(date), '2026-04-01T00:00:00.987000Z')
  })

  test('change the day and the year at midnight in Japan', () => {
    assert.equal(japanTime(new Date('2025-12-31T14:59:59Z')), '2025-12-31T23:59:59+09:00')
    assert.equal(japanTime(new Date('2025-12-31T15:00:00Z')), '2026-01-01T00:00:00+09:00')
    assert.equal(japanMonth(new Date('2025-12-31T15:00:00Z')), '202601')
  })

  test('are read back as the instant that was written', () => {
    fc.assert(
      fc.property(instants, (date) => {
        assert.deepEqual(parseDatetime(utcMicros(date)), date)
        assert.equal(utcMillis(date), date.toISOString())
        assert.deepEqual(parseDatetime(japanTime(date)), wholeSecond(date))
        assert.deepEqual(parseDatetime(utcOffset(date)), wholeSecond(date))
        assert.deepEqual(parseJapanPlain(japanPlain(date)), wholeSecond(date))
      }),
    )
  })
})

describe('parseDatetime', () => {
  const accepted: readonly (readonly [string, string])[] = [
    ['2026-04-01T09:00:00+09:00', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T00:00:00Z', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T00:00:00-00:00', '2026-04-01T00:00:00.000Z'],
    ['2026-03-31T20:30:00-03:30', '2026-04-01T00:00:00.000Z'],
    ['2026-04-01T00:00:00.5Z', '2026-04-01T00:00:00.500Z'],
    ['2026-04-01T00:00:00.123456789Z', '2026-04-01T00:00:00.123Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999+09:00', '9999-12-31T14:59:59.999Z'],
    ['2026-04-01T23:59:59+23:59', '2026-04-01T00:00:59.000Z'],
  ]
  for (const [text, instant] of accepted) {
    test(`reads ${text}`, () => assert.equal(parseDatetime(text)?.toISOString(), instant))
  }

  const refused = [
    '',
    '2026-04-01',
    '2026-04-01T00:00:00',
    '2026-04-01T00:00Z',
    '2026-04-01 00:00:00Z',
    '2026-04-01t00:00:00z',
    '2026-04-01T00:00:00+0900',
    '2026-04-01T00:00:00+09',
    '2026-04-01T00:00:00.Z',
    '2026-04-01T00:00:00.1234567890Z',
    '2026-04-01T00:00:00,5Z',
    '2026-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-04-00T00:00:00Z',
    '2026-04-01T24:00:00Z',
    '2026-04-01T25:00:00Z',
    '2026-04-01T00:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-04-01T00:00:00+24:00',
    '2026-04-01T00:00:00+09:60',
    '+002026-04-01T00:00:00Z',
    ' 2026-04-01T00:00:00Z',
    '2026-04-01T00:00:00Z\n',
    '２０２６-04-01T00:00:00Z',
    '0000-01-01T00:00:00+00:01',
    '9999-12-31T15:00:00Z',
  ]
  for (const text of refused) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseDatetime(text), undefined))
  }
})

describe('parseJapanPlain and parseDay', () => {
  test('take Japan time', () => {
    assert.deepEqual(parseJapanPlain('2026-04-01 09:00:00'), april)
    assert.deepEqual(parseDay('2026-04-01'), new Date('2026-03-31T15:00:00Z'))
  })

  test('refuse other forms and impossible days', () => {
    const plain = ['2026-04-01T09:00:00', '2026-04-01 9:00:00', '2026-02-30 00:00:00', '2026-04-01']
    for (const text of plain) assert.equal(parseJapanPlain(text), undefined)
    const days = ['2026-02-30', '2026-4-1', '20260401', '2026-04-01 09:00:00', '2026-04-01Z', '']
    for (const text of days) assert.equal(parseDay(text), undefined)
  })
})

describe("Japan's calendar", () => {
  test('begins days and months at midnight there', () => {
    const date = new Date('2026-03-31T15:30:00Z')
    assert.equal(japanTime(japanDayStart(date)), '2026-04-01T00:00:00+09:00')
    assert.equal(japanTime(japanMonthStart(date)), '2026-04-01T00:00:00+09:00')
    assert.equal(japanTime(nextJapanMonthStart(date)), '2026-05-01T00:00:00+09:00')
    const before = new Date('2026-03-31T14:59:59.999Z')
    assert.equal(japanTime(japanDayStart(before)), '2026-03-31T00:00:00+09:00')
    assert.equal(japanTime(japanMonthStart(before)), '2026-03-01T00:00:00+09:00')
  })

  test('goes from December to January', () => {
    const date = new Date('2026-12-15T00:00:00Z')
    assert.equal(japanTime(nextJapanMonthStart(date)), '2027-01-01T00:00:00+09:00')
  })

  test('holds every instant in its own month and day', () => {
    fc.assert(
      fc.property(instants, (date) => {
        const start = japanMonthStart(date)
        const next = nextJapanMonthStart(date)
        assert.ok(start <= date && date < next)
        assert.equal(japanMonth(start), japanMonth(date))
        assert.deepEqual(japanMonthStart(next), next)
        const day = japanDayStart(date)
        assert.ok(day <= date && date.getTime() - day.getTime() < 24 * 60 * 60 * 1000)
        assert.equal(japanPlain(day), `${japanPlain(date).slice(0, 10)} 00:00:00`)
      }),
    )
  })

  test('does not depend on the time zone of the machine', () => {
    const zone = process.env.TZ
    for (const name of ['America/New_York', 'Asia/Tokyo', 'Pacific/Kiritimati']) {
      process.env.TZ = name
      assert.equal(japanTime(april), '2026-04-01T09:00:00+09:00')
      assert.deepEqual(parseDay('2026-04-01'), new Date('2026-03-31T15:00:00Z'))
      assert.deepEqual(japanMonthStart(april), new Date('2026-03-31T15:00:00Z'))
    }
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
})
