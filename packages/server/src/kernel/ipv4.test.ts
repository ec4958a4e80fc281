import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  type Cidr,
  contains,
  formatCidr,
  formatIpv4,
  isPrivateIpv4,
  looksLikeIpv4,
  overlaps,
  parseCidr,
  parseIpv4,
} from './ipv4.ts'

const addresses = fc.integer({ min: 0, max: 2 ** 32 - 1 })
const networks = fc.tuple(addresses, fc.integer({ min: 0, max: 32 })).map(
  ([address, prefixLength]): Cidr => ({
    network: address - (address % 2 ** (32 - prefixLength)),
    prefixLength,
  }),
)

function address(text: string): number {
  return parseIpv4(text) ?? assert.fail(`${text} is no address`)
}

function cidr(text: string): Cidr {
  return parseCidr(text) ?? assert.fail(`${text} is no network`)
}

describe('parseIpv4', () => {
  test('reads the least and the greatest address', () => {
    assert.equal(parseIpv4('0.0.0.0'), 0)
    assert.equal(parseIpv4('255.255.255.255'), 2 ** 32 - 1)
    assert.equal(parseIpv4('192.168.0.1'), 3_232_235_521)
  })

  const refused = [
    ...['', '1.2.3', '1.2.3.4.5', '1.2.3.', '.1.2.3', '1..2.3', '256.0.0.1', '1.2.3.1000'],
    ...['010.0.0.1', '10.0.0.01', '00.0.0.0', '0x0a.0.0.1', '1.2.3.-4', '1.2.3.+4', '1.2.3.4 '],
    ...[' 1.2.3.4', '1.2.3.4\n', '1,2,3,4', 'a.b.c.d', '::1', '1.2.3.4/32', '１.2.3.4'],
  ]
  for (const text of refused) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseIpv4(text), undefined))
  }

  test('reads what formatIpv4 writes', () => {
    fc.assert(fc.property(addresses, (n) => assert.equal(parseIpv4(formatIpv4(n)), n)))
  })

  test('accepts no text that another text stands for too', () => {
    const groups = fc.array(fc.stringMatching(/^\d{1,3}$/), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(groups, (parts) => {
        const n = parseIpv4(parts.join('.'))
        if (n !== undefined) assert.equal(formatIpv4(n), parts.join('.'))
      }),
    )
  })
})

describe('looksLikeIpv4', () => {
  test('checks only the form, as the interface does', () => {
    for (const text of ['1.2.3.4', '999.999.999.999', '010.0.0.1']) {
      assert.equal(looksLikeIpv4(text), true)
    }
    for (const text of ['', '1.2.3', '1.2.3.4.5', '1.2.3.1234', '1.2.3.x', '1.2.3.4\n']) {
      assert.equal(looksLikeIpv4(text), false)
    }
  })
})

describe('isPrivateIpv4', () => {
  test('knows the borders of the three networks of RFC 1918', () => {
    const inside = ['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0']
    for (const text of [...inside, '192.168.255.255']) {
      assert.equal(isPrivateIpv4(address(text)), true, text)
    }
    const outside = ['9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '127.0.0.1']
    for (const text of [...outside, '192.167.255.255', '192.169.0.0', '8.8.8.8', '100.64.0.1']) {
      assert.equal(isPrivateIpv4(address(text)), false, text)
    }
  })
})

describe('parseCidr', () => {
  test('reads networks of every size', () => {
    assert.deepEqual(parseCidr('0.0.0.0/0'), { network: 0, prefixLength: 0 })
    assert.deepEqual(parseCidr('192.168.0.0/16'), {
      network: address('192.168.0.0'),
      prefixLength: 16,
    })
    assert.deepEqual(parseCidr('255.255.255.255/32'), { network: 2 ** 32 - 1, prefixLength: 32 })
  })

  const refused = [
    ...['', '10.0.0.0', '10.0.0.0/', '/8', '10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/8/8'],
    ...['10.0.0.0/-1', '10.0.0.0/ 8', '10.0.0.0/8 ', '10.0.0.1/8', '10.0.0.1/31', '1.0.0.0/0'],
    ...['10.0.0/8', '010.0.0.0/8', '10.0.0.0/1e1', '10.0.0.0/255.0.0.0'],
  ]
  for (const text of refused) {
    test(`refuses ${JSON.stringify(text)}`, () => assert.equal(parseCidr(text), undefined))
  }

  test('reads what formatCidr writes', () => {
    fc.assert(fc.property(networks, (n) => assert.deepEqual(parseCidr(formatCidr(n)), n)))
  })
})

describe('contains and overlaps', () => {
  test('end where the network ends', () => {
    assert.equal(contains(cidr('10.0.0.0/30'), address('10.0.0.3')), true)
    assert.equal(contains(cidr('10.0.0.0/30'), address('10.0.0.4')), false)
    assert.equal(contains(cidr('10.0.0.4/30'), address('10.0.0.3')), false)
    assert.equal(overlaps(cidr('10.0.0.0/25'), cidr('10.0.0.128/25')), false)
    assert.equal(overlaps(cidr('10.0.0.0/8'), cidr('10.1.2.0/24')), true)
    assert.equal(overlaps(cidr('10.1.2.0/24'), cidr('10.0.0.0/8')), true)
    assert.equal(overlaps(cidr('0.0.0.0/0'), cidr('255.255.255.255/32')), true)
  })

  test('agree: two networks overlap when one contains the first address of the other', () => {
    const last = (n: Cidr) => n.network + 2 ** (32 - n.prefixLength) - 1
    fc.assert(
      fc.property(networks, networks, (a, b) => {
        assert.equal(overlaps(a, b), a.network <= last(b) && b.network <= last(a))
        assert.equal(overlaps(a, b), overlaps(b, a))
        assert.equal(overlaps(a, a), true)
      }),
    )
  })
})
