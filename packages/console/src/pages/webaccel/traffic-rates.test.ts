import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ratesOf, type Sample, withSample } from './traffic-rates.ts'

const at = (seconds: number, hits: number, misses = 0): Sample => ({
  ...{ at: seconds * 1000, hits, misses },
})

test('a rate needs two samples, and is that of the last ten seconds', () => {
  let samples: readonly Sample[] = []
  assert.equal(ratesOf(samples), undefined)
  samples = withSample(samples, at(0, 100))
  assert.equal(ratesOf(samples), undefined)
  samples = withSample(samples, at(2, 120, 4))
  assert.deepEqual(ratesOf(samples), { hits: 10, misses: 2 })
  samples = withSample(samples, at(12, 130, 4))
  assert.deepEqual(ratesOf(samples), { hits: 1, misses: 0 })
  samples = withSample(samples, at(60, 130, 4))
  assert.equal(ratesOf(samples), undefined)
})

test('a sum that shrinks is no rate below nothing', () => {
  assert.deepEqual(ratesOf([at(0, 100), at(1, 40)]), { hits: 0, misses: 0 })
})
