import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeAcceptEncoding } from './encoding.ts'

const vectors: readonly [
  string | undefined,
  gzip: string | undefined,
  brotli: string | undefined,
][] = [
  [undefined, undefined, undefined],
  ['', undefined, undefined],
  ['gzip, deflate, br', 'gzip', 'br, gzip'],
  ['deflate', undefined, undefined],
  ['br;q=0, gzip;q=0.5', 'gzip', 'gzip'],
  ['br', undefined, 'br'],
  ['GZIP ; Q=1.0', 'gzip', 'gzip'],
  ['gzip;q=0', undefined, undefined],
  ['gzip;q=0.000, br;q=0.001', undefined, 'br'],
  ['x-gzip', 'gzip', 'gzip'],
  ['*', 'gzip', 'br, gzip'],
  ['*;q=0', undefined, undefined],
  ['*, gzip;q=0', undefined, 'br'],
  ['identity;q=1, gzip', 'gzip', 'gzip'],
  ['gzip;q=nonsense', undefined, undefined],
]

for (const [value, gzip, brotli] of vectors) {
  test(`makes ${JSON.stringify(value)} ${gzip} for gzip and ${brotli} for Brotli`, () => {
    assert.equal(normalizeAcceptEncoding(value, 'gzip'), gzip)
    assert.equal(normalizeAcceptEncoding(value, 'brotli'), brotli)
  })
}
