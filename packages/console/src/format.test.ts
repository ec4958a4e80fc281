import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatBytes, formatDate, formatTime, formatYen } from './format.ts'
import { defineTexts, language } from './i18n.ts'

const MORNING = '2026-04-01T09:05:03+09:00'

test('times are those of Japan, as either language writes them, and stay on one line', () => {
  language.set('en')
  assert.equal(formatTime(MORNING), '1 Apr 2026, 09:05:03'.replaceAll(' ', '\u00a0'))
  assert.equal(formatDate(MORNING), '1\u00a0Apr\u00a02026')
  language.set('ja')
  assert.equal(formatTime(MORNING), '2026/04/01\u00a009:05:03')
  assert.equal(formatTime(Date.parse('2026-04-01T00:00:00+09:00')), '2026/04/01\u00a000:00:00')
  assert.equal(formatTime(''), '–')
  assert.equal(formatTime('soon'), 'soon')
})

test('amounts and sizes have their units', () => {
  language.set('en')
  assert.deepEqual(
    [formatYen(1188), formatYen(-5), formatBytes(1_250_000)],
    ['¥1,188', '-¥5', '1.3 MB'],
  )
  language.set('ja')
  assert.equal(formatYen(1188), '1,188円')
})

test('one is not many', () => {
  const say = defineTexts({ rows: ['{count} {count|row is|rows are} there', '{count} 行あります'] })
  language.set('en')
  assert.equal(say('rows', { count: 1 }), '1 row is there')
  assert.equal(say('rows', { count: '1,000' }), '1,000 rows are there')
  assert.equal(say('rows', { count: 0 }), '0 rows are there')
  language.set('ja')
  assert.equal(say('rows', { count: 1 }), '1 行あります')
})
