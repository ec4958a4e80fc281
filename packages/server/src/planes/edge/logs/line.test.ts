import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccessEntry } from '../options.ts'
import { logLine } from './line.ts'

const ENTRY: AccessEntry = {
  address: '192.0.2.1',
  time: new Date('2026-11-08T01:02:03.456Z'),
  method: 'GET',
  target: '/a%20b?c=d',
  httpVersion: '1.1',
  status: 200,
  bytes: 1234,
  referer: 'https://www.example.jp/',
  userAgent: 'curl/8',
  cacheStatus: 'hit',
  host: 'docs.example.jp',
  durationMs: 1.6,
}

test('is the combined format with cache status, host and milliseconds', () => {
  assert.equal(
    logLine(ENTRY),
    '192.0.2.1 - - [08/Nov/2026:01:02:03 +0000] "GET /a%20b?c=d HTTP/1.1" 200 1234 "https://www.example.jp/" "curl/8" hit "docs.example.jp" 2\n',
  )
})

test('has a dash for what was not sent', () => {
  const text = logLine({ ...ENTRY, address: '', referer: undefined, userAgent: '' })
  assert.match(text, /^- - - .* "-" "-" hit /)
})

test('escapes what would end a field, a line of text or reach a terminal', () => {
  const text = logLine({ ...ENTRY, userAgent: 'a"b\\c\nd\u001b[31m\u00e9' })
  assert.match(text, /"a\\x22b\\x5cc\\x0ad\\x1b\[31m\\xc3\\xa9"/)
  assert.equal(text.split('\n').length, 2)
})
