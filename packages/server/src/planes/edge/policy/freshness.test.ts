import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  ageSeconds,
  explicitLifetime,
  freshnessOf,
  freshUntilMs,
  isFresh,
  mayServeOnError,
  mayServeWhileRevalidating,
} from './freshness.ts'

const NOW = Date.UTC(2026, 3, 1)
const httpDate = (seconds: number) => new Date(NOW + seconds * 1000).toUTCString()
const timing = { requestedMs: NOW - 2000, receivedMs: NOW, isVirtual: false }
const of = (fields: string[], ttl = -1) => freshnessOf(fields, timing, ttl)

describe('freshness (RFC 9111, section 4.2)', () => {
  test('comes from s-maxage, then max-age, then Expires, then the site (section 4.2.1)', () => {
    const lifetime = (...fields: string[]) => explicitLifetime(fields, NOW)
    assert.equal(lifetime('cache-control', 'max-age=1, s-maxage=2'), 2)
    assert.equal(lifetime('cache-control', 'max-age=1', 'expires', httpDate(9)), 1)
    assert.equal(lifetime('expires', httpDate(9), 'date', httpDate(-1)), 10)
    assert.equal(lifetime('expires', httpDate(9), 'date', 'x'), 9)
    assert.equal(lifetime('expires', httpDate(-9)), 0)
    assert.equal(lifetime('cache-control', 'public'), undefined)
    assert.equal(of([], 60).lifetimeSeconds, 60)
    assert.equal(of(['cache-control', 'max-age=5'], 60).lifetimeSeconds, 5)
  })

  test('is over at once where it cannot be read, or is no-cache', () => {
    for (const control of ['max-age=x', "max-age='5'", 'max-age=-1', 'max-age=9, no-cache']) {
      assert.equal(explicitLifetime(['cache-control', control], NOW), 0, control)
    }
    assert.equal(explicitLifetime(['cache-control', 'max-age=99999999999'], NOW), 2 ** 31)
  })

  test('comes from CDN-Cache-Control alone where that is valid (RFC 9213)', () => {
    const fields = ['cache-control', 'max-age=5', 'expires', httpDate(9)]
    assert.equal(explicitLifetime([...fields, 'cdn-cache-control', 'max-age=60'], NOW), 60)
    assert.equal(explicitLifetime([...fields, 'cdn-cache-control', 'public'], NOW), undefined)
    assert.equal(explicitLifetime([...fields, 'cdn-cache-control', '='], NOW), 5)
  })

  test('counts the age that the response had, and the time that it took (section 4.2.3)', () => {
    assert.equal(of([]).initialAgeSeconds, 2)
    assert.equal(of(['age', '30']).initialAgeSeconds, 32)
    assert.equal(of(['age', '30', 'date', httpDate(-90)]).initialAgeSeconds, 90)
    const moved = freshnessOf(['date', httpDate(-90)], { ...timing, isVirtual: true }, -1)
    assert.equal(moved.initialAgeSeconds, 2)
    assert.equal(ageSeconds(of(['age', '30']), NOW + 1000), 33)
    for (const age of ['x', '-1', '1, 1', '1.0']) {
      assert.equal(isFresh(of(['cache-control', 'max-age=60', 'age', age]), NOW), false, age)
    }
  })

  test('ends when the age reaches the lifetime', () => {
    const freshness = of(['cache-control', 'max-age=60'])
    assert.equal(freshUntilMs(freshness), NOW + 58_000)
    assert.equal(isFresh(freshness, NOW + 57_999), true)
    assert.equal(isFresh(freshness, NOW + 58_000), false)
  })
})

describe('stale responses (RFC 5861)', () => {
  const control = 'max-age=60, stale-while-revalidate=10, stale-if-error=20'

  test('are used for as long as the origin allows', () => {
    const freshness = of(['cache-control', control])
    assert.equal(mayServeWhileRevalidating(freshness, NOW + 67_000), true)
    assert.equal(mayServeWhileRevalidating(freshness, NOW + 68_000), false)
    assert.equal(mayServeOnError(freshness, NOW + 77_000), true)
    assert.equal(mayServeOnError(freshness, NOW + 78_000), false)
  })

  test('are not used where the origin forbids it, or says nothing (section 4.2.4)', () => {
    assert.equal(mayServeOnError(of(['cache-control', 'max-age=60']), NOW + 60_000), false)
    for (const word of ['must-revalidate', 'proxy-revalidate', 's-maxage=60', 'no-cache']) {
      const freshness = of(['cache-control', `${control}, ${word}`])
      assert.equal(mayServeOnError(freshness, NOW + 60_000), false, word)
      assert.equal(mayServeWhileRevalidating(freshness, NOW + 60_000), false, word)
    }
  })
})
