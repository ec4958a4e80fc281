import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAllowed, parseAccessList } from './acl.ts'

const allowed = (acl: string, address: string) => isAllowed(parseAccessList(acl), address)

test('allows everybody without a rule, and whoever no rule matches', () => {
  assert.equal(allowed('', '192.0.2.1'), true)
  assert.equal(allowed('deny 192.0.2.0/24', '198.51.100.1'), true)
})

test('takes the first rule that matches', () => {
  const acl = 'allow 192.0.2.9\ndeny 192.0.2.5/25\n\n  allow   all \ndeny all\n'
  assert.equal(allowed(acl, '192.0.2.9'), true)
  assert.equal(allowed(acl, '192.0.2.127'), false)
  assert.equal(allowed(acl, '192.0.2.128'), true)
})

test('compares IPv6 networks at their last bit', () => {
  const acl = 'allow 2001:db8::/33\ndeny all'
  assert.equal(allowed(acl, '2001:db8:7fff::1'), true)
  assert.equal(allowed(acl, '2001:db8:8000::1'), false)
  assert.equal(allowed(acl, '192.0.2.1'), false)
})

test('takes an IPv6 address that stands for an IPv4 one as that', () => {
  assert.equal(allowed('deny 192.0.2.0/24', '::ffff:192.0.2.7'), false)
  assert.equal(allowed('deny ::ffff:192.0.2.0/120', '192.0.2.7'), false)
  assert.equal(allowed('deny ::/0', '192.0.2.7'), true)
})

test('matches a client without an address by "all" alone', () => {
  assert.equal(allowed('deny 0.0.0.0/0', ''), true)
  assert.equal(allowed('deny all', ''), false)
})
