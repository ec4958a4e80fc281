import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { Proxies } from './proxies.ts'

function message(remoteAddress: string, headers: object, encrypted = true): IncomingMessage {
  const socket = { remoteAddress, ...(encrypted && { encrypted }) }
  return { socket, headers: { host: 'own:1', ...headers } } as unknown as IncomingMessage
}

test('only whom we trust says how a request came in', () => {
  const proxies = new Proxies(['10.0.0.0/8', '::1'])
  const told = { 'x-forwarded-proto': 'http, https', 'x-forwarded-host': 'evil, cloud.example.jp' }
  for (const peer of ['10.1.2.3', '::ffff:10.1.2.3', '::1']) {
    assert.equal(proxies.originOf(message(peer, told, false)), 'https://cloud.example.jp', peer)
  }
  for (const peer of ['11.0.0.1', '::2', '']) {
    assert.equal(proxies.originOf(message(peer, told, false)), 'http://own:1', peer)
  }
  assert.equal(new Proxies([]).originOf(message('10.1.2.3', told)), 'https://own:1')
  assert.equal(proxies.originOf(message('10.1.2.3', {})), 'https://own:1')
})

test('the client is the last address that no trusted proxy has', () => {
  const proxies = new Proxies(['10.0.0.0/8', 'fd00::/8'])
  const from = (peer: string, forwarded?: string) =>
    proxies.clientOf(message(peer, forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }))
  assert.equal(from('10.0.0.1', '192.0.2.7, 198.51.100.4, 10.0.0.2'), '198.51.100.4')
  assert.equal(from('fd00::1', '2001:db8::9'), '2001:db8::9')
  assert.equal(from('::ffff:10.0.0.1', '::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(from('192.0.2.1', '198.51.100.4'), '192.0.2.1', 'nobody else may name one')
  assert.equal(from('10.0.0.1', 'unknown'), '10.0.0.1')
  assert.equal(from('10.0.0.1'), '10.0.0.1')
  assert.equal(new Proxies([]).clientOf(message('::ffff:127.0.0.1', {})), '127.0.0.1')
})
