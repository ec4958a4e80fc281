import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AddressList, isAddressOrNetwork } from './address-list.ts'

test('knows the form of addresses and networks of both families', () => {
  for (const good of [
    ...['192.0.2.1', '192.0.2.0/24', '0.0.0.0/0', '10.1.2.3/32'],
    ...['::1', '2001:db8::/32', '::/0', '2001:db8::1/128'],
  ]) {
    assert.ok(isAddressOrNetwork(good), good)
  }
  for (const bad of [
    ...['', '/', '192.0.2.0/33', '192.0.2.0/', '192.0.2.0/08', '192.0.2.1/24', '192.0.2.0/24/1'],
    ...['2001:db8::/129', 'fe80::1%eth0', 'localhost', '10.0.0.1 ', '010.0.0.1', '10.0.0.0/-1'],
  ]) {
    assert.ok(!isAddressOrNetwork(bad), bad)
  }
})

test('finds addresses in networks, and IPv4 that was mapped into IPv6', () => {
  const list = new AddressList(['192.0.2.0/24', '198.51.100.1', '2001:db8::/32'])
  for (const inside of ['192.0.2.1', '::ffff:192.0.2.255', '198.51.100.1', '2001:db8:1::1']) {
    assert.ok(list.has(inside), inside)
  }
  for (const outside of ['192.0.3.1', '198.51.100.2', '2001:db9::1', '', 'x', '192.0.2.1:80']) {
    assert.ok(!list.has(outside), outside)
  }
})
