import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import ipaddr from 'ipaddr.js'
import { isOwnNetwork } from './targets.ts'

/** The IANA IPv4 and IPv6 special-purpose address registries (RFC 6890), row by row, and multicast. */
const REGISTRIES = [
  ...['0.0.0.0/8', '0.0.0.0/32', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16'],
  ...['172.16.0.0/12', '192.0.0.0/24', '192.0.0.0/29', '192.0.0.8/32', '192.0.0.9/32'],
  ...['192.0.0.10/32', '192.0.0.170/32', '192.0.0.171/32', '192.0.2.0/24', '192.31.196.0/24'],
  ...['192.52.193.0/24', '192.88.99.0/24', '192.88.99.2/32', '192.168.0.0/16', '192.175.48.0/24'],
  ...['198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '240.0.0.0/4', '255.255.255.255/32'],
  ...['::1/128', '::/128', '::ffff:0:0/96', '64:ff9b::/96', '64:ff9b:1::/48', '100::/64'],
  ...['100:0:0:1::/64', '2001::/23', '2001::/32', '2001:1::1/128', '2001:1::2/128'],
  ...['2001:1::3/128', '2001:2::/48', '2001:3::/32', '2001:4:112::/48', '2001:10::/28'],
  ...['2001:20::/28', '2001:30::/28', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48'],
  ...['3fff::/20', '5f00::/16', 'fc00::/7', 'fe80::/10'],
  ...['224.0.0.0/4', 'ff00::/8', 'fec0::/10', '::/96'],
]

/** The first and the last address. */
function endsOf(network: string): string[] {
  const [address, bits] = ipaddr.parseCIDR(network)
  const bytes = address.toByteArray()
  const last = bytes.map((byte, index) => {
    const fixed = Math.min(8, Math.max(0, bits - index * 8))
    return byte | (0xff >> fixed)
  })
  return [bytes, last].map((each) => String(ipaddr.fromByteArray(each)))
}

describe('isOwnNetwork', () => {
  for (const network of REGISTRIES) {
    // What it maps to decides; see below.
    if (network === '::ffff:0:0/96') continue
    test(`is true for both ends of ${network}`, () => {
      for (const address of endsOf(network)) assert.equal(isOwnNetwork(address), true, address)
    })
  }
  for (const address of [
    '169.254.169.254',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '::7f00:1',
    '::ffff:0:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    'fe80::1%eth0',
    'no address',
    '127.1',
    '0x7f000001',
    '',
  ]) {
    test(`is true for ${address}`, () => assert.equal(isOwnNetwork(address), true))
  }
  for (const address of [
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '126.255.255.255',
    '172.32.0.1',
    '192.0.1.0',
    '223.255.255.255',
    '2001:200::1',
    '2606:4700::1',
    '::ffff:8.8.8.8',
  ]) {
    test(`is false for ${address}`, () => assert.equal(isOwnNetwork(address), false))
  }
})
