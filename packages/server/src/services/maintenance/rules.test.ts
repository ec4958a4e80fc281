import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { japanPlain, parseDay } from '../../kernel/datetime.ts'
import { BadRequest } from '../../kernel/errors.ts'
import { daysOf, monthLater } from './rules.ts'

/** Still the day before in UTC. */
const NOW = new Date('2026-04-10T08:30:00+09:00')
const shown = (start?: string, end?: string) => {
  const { from, to } = daysOf(start, end, NOW)
  return [japanPlain(from), japanPlain(to)]
}

describe('the days of a call', () => {
  test('are today and a month on, by the day in Japan, the last one included', () => {
    assert.deepEqual(shown(), ['2026-04-10 00:00:00', '2026-05-11 00:00:00'])
  })

  test('end a month after the later of today and the start', () => {
    assert.deepEqual(shown('2026-06-01'), ['2026-06-01 00:00:00', '2026-07-02 00:00:00'])
    assert.deepEqual(shown('2026-01-01'), ['2026-01-01 00:00:00', '2026-05-11 00:00:00'])
    assert.deepEqual(shown(undefined, '2026-04-10'), ['2026-04-10 00:00:00', '2026-04-11 00:00:00'])
  })

  test('are refused when they are none, or end before they start', () => {
    for (const [start, end] of [
      ['2026-02-30', undefined],
      ['2026/04/01', undefined],
      ['2026-04-01T00:00:00+09:00', undefined],
      ['', undefined],
      ['2026-04-11', '2026-04-10'],
      [undefined, '2026-04-09'],
    ] as const) {
      assert.throws(() => daysOf(start, end, NOW), BadRequest, `${start} ${end}`)
    }
  })
})

describe('a month later', () => {
  test('is the same day, or the last one of a shorter month', () => {
    const later = (day: string) => {
      const parsed = parseDay(day)
      assert.ok(parsed)
      return japanPlain(monthLater(parsed)).slice(0, 10)
    }
    assert.deepEqual(
      ['2026-04-30', '2026-01-31', '2028-01-31', '2026-12-31', '2026-08-31', '9999-12-31'].map(
        later,
      ),
      ['2026-05-30', '2026-02-28', '2028-02-29', '2027-01-31', '2026-09-30', '9999-12-31'],
    )
  })
})
