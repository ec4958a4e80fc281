import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  CATALOGUE,
  gatewayIn,
  SIM_BASE,
  SMS_MESSAGE,
  simTrafficOf,
  WEBACCEL_TRAFFIC,
} from './catalogue-rules.ts'
import { chargeFor } from './rules.ts'

const HOUR = 3_600
const DAY = 86_400

describe('the built-in list', () => {
  test('has an id for each product, and one a zone for gateways', () => {
    const ids = CATALOGUE.map(({ serviceClassId }) => serviceClassId)
    assert.equal(new Set(ids).size, ids.length)
    assert.deepEqual(
      ['is1a', 'is1b', 'tk1a', 'tk1v', 'is1z'].map(
        (zone) => CATALOGUE.filter((product) => product.zone === zone).length,
      ),
      [1, 1, 1, 1, 1],
    )
    assert.deepEqual(
      [0, 1, 2, 3, -1].map((place) => simTrafficOf(place).serviceClassId),
      [50_011, 50_012, 50_013, 50_011, 50_011],
    )
  })
})

describe('a use costs', () => {
  test('the cheapest of hours, days and the month that have begun', () => {
    const gateway = gatewayIn('is1a')
    const costs = [0, 1, HOUR, HOUR + 1, 11 * HOUR, 11 * HOUR + 1, DAY, DAY + 1, 20 * DAY, 31 * DAY]
    assert.deepEqual(
      costs.map((seconds) => chargeFor(gateway, seconds)),
      [0, 5, 5, 10, 55, 55, 55, 110, 1100, 1100],
    )
    const monthlyAlone = { ...SIM_BASE, price: { ...SIM_BASE.price, hourly: 0, daily: 0 } }
    assert.equal(chargeFor(monthlyAlone, 1), 165)
    const free = { ...SIM_BASE, price: { base: 0, hourly: 0, daily: 0, monthly: 0 } }
    assert.equal(chargeFor(free, DAY), 0)
  })

  test('so many yen apiece, and no part of a yen for bytes', () => {
    assert.equal(chargeFor(SMS_MESSAGE, 3), 33)
    const gib = 1024 ** 3
    assert.equal(chargeFor(WEBACCEL_TRAFFIC, gib - 1), 4)
    assert.equal(chargeFor(WEBACCEL_TRAFFIC, gib), 5)
    assert.equal(chargeFor(WEBACCEL_TRAFFIC, Number.MAX_SAFE_INTEGER), 41_943_039)
  })

  test('never less for more, and an integer', () => {
    const amount = fc.nat(2 ** 31 - 1)
    fc.assert(
      fc.property(fc.constantFrom(...CATALOGUE), amount, amount, (product, a, b) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        assert.ok(chargeFor(product, less) <= chargeFor(product, more))
        assert.ok(Number.isSafeInteger(chargeFor(product, more)))
      }),
    )
  })
})
