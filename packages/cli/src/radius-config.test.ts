import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { radiusConfig } from './radius-config.ts'

const SETTINGS = {
  ...{ folder: '/etc/freeradius/kumoi', url: 'http://127.0.0.1:8080/_kumoi/v1/radius' },
  ...{ token: 'network-token', ca: undefined, listen: '*', authPort: 1812, acctPort: 1813 },
  relay: undefined,
  clients: [
    { name: 'pgw-1', address: '192.0.2.10', secret: 'first-secret', coa_port: 3799 },
    { name: 'pgw-2', address: '192.0.2.11', secret: 'second/secret#2', coa_port: 1700 },
  ],
}

/** The files of a configuration that hold a text. */
function filesWith(files: Readonly<Record<string, string>>, text: string): string[] {
  return Object.entries(files).flatMap(([name, content]) => (content.includes(text) ? [name] : []))
}

describe('the configuration of FreeRADIUS', () => {
  test('has secrets and the token in files of their own', () => {
    const files = radiusConfig(SETTINGS)
    assert.deepEqual(filesWith(files, 'first-secret'), ['clients.conf'])
    assert.deepEqual(filesWith(files, 'network-token'), ['token.conf'])
    assert.deepEqual(filesWith(files, 'relay.conf'), [])
    assert.deepEqual(filesWith(files, 'ca.pem'), [])
  })

  test('has the CA of the server and a relay to the port of each element where they are given', () => {
    const relay = { from: '192.0.2.1', port: 3798 }
    const files = radiusConfig({ ...SETTINGS, ca: 'a certificate', relay })
    assert.equal(files['ca.pem'], 'a certificate')
    assert.deepEqual(filesWith(files, 'ca_info_file = '), ['rest.conf'])
    assert.deepEqual(filesWith(files, '$INCLUDE relay.conf'), ['radiusd.conf'])
    const text = files['relay.conf'] ?? ''
    assert.match(text, /ipaddr = 192\.0\.2\.1\n\t\tsecret = 'network-token'/)
    assert.match(text, /port = 3798\n/)
    assert.match(
      text,
      /home_server 'pgw-2' \{\n\ttype = coa\n\tipaddr = 192\.0\.2\.11\n\tport = 1700\n/,
    )
  })
})
