import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isOwnNetwork } from './targets.ts'

describe('isOwnNetwork', () => {
  const inside = [
    '127.0.0.1',
    '10.1.2.3',
    '172.31.255.255',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'no address',
  ]
  for (const address of inside) {
    test(`is true for ${address}`, () => assert.equal(isOwnNetwork(address), true))
  }
  for (const address of [
    '203.0.113.1',
    '8.8.8.8',
    '172.32.0.1',
    '2606:4700::1',
    '::ffff:8.8.8.8',
  ]) {
    test(`is false for ${address}`, () => assert.equal(isOwnNetwork(address), false))
  }
})
