import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../config.ts'
import type { Addresses } from './addresses.ts'
import { banner } from './banner.ts'
import type { Running } from './server.ts'

const TOKEN = 'the-operator-token'
const ADDRESSES: Addresses = {
  origin: 'https://127.0.0.1:8443',
  api: 'https://127.0.0.1:8443/cloud',
  operator: 'https://127.0.0.1:8443/_kumoi/v1',
  plain: undefined,
  mqtt: [],
  edge: [],
  caFile: undefined,
  key: undefined,
}

function bannerWith(
  args: readonly string[],
  isTerminal: boolean,
  key: Addresses['key'] = undefined,
): string {
  const config = readConfig(args, {})
  assert.ok(config !== 'help')
  // Of what runs the banner shows the token alone.
  return banner(config, { operatorToken: TOKEN } as Running, { ...ADDRESSES, key }, isTerminal)
}

const OPERATE = [
  ...['--mode', 'operate', '--data', '/data', '--tls-cert', 'c', '--tls-key', 'k'],
  ...['--operator-token', TOKEN, '--operator-port', '9444'],
]

describe('the banner shows the operator token (SECURITY.md)', () => {
  test('in dev to a terminal, as a link that signs in', () => {
    assert.match(bannerWith(['--data', '/data'], true), /8443\/#operator=the-operator-token\n/)
  })

  test('in dev to no log, but where the server has no folder to keep it in', () => {
    const text = bannerWith(['--data', '/data'], false)
    assert.ok(!text.includes(TOKEN), text)
    assert.match(text, /token +in \/data\/operator\.token/)
    assert.match(bannerWith(['--memory'], false), /token +the-operator-token\n/)
  })

  test('with the key of the demo world, in the same link and nowhere without the token', () => {
    const key = { token: 'demo-token', secret: 'demo-secret' }
    const link = '#operator=the-operator-token&key=demo-token:demo-secret\n'
    assert.ok(bannerWith(['--data', '/data'], true, key).includes(`8443/${link}`))
    for (const more of [
      ['--host', '0.0.0.0'],
      ['--operator-token', TOKEN],
    ]) {
      assert.ok(!bannerWith(['--data', '/data', ...more], true, key).includes('key=demo-token'))
    }
  })

  test('in operate never', () => {
    for (const isTerminal of [true, false]) {
      assert.ok(!bannerWith(OPERATE, isTerminal).includes(TOKEN))
    }
  })
})
