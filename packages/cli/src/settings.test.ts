import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readSettings } from './settings.ts'

function runningServer(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-settings-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const addresses = {
    pid: process.pid,
    api: 'https://localhost:1/cloud',
    operator: 'https://localhost:2/_kumoi/v1',
    caFile: '/ca.pem',
    key: { token: 'demo', secret: 'shown' },
  }
  writeFileSync(join(folder, 'server.json'), JSON.stringify(addresses))
  writeFileSync(join(folder, 'operator.token'), 'op\n')
  return folder
}

describe('settings', () => {
  test('come from a server that runs on this machine', (t) => {
    const data = runningServer(t)
    assert.deepEqual(readSettings({ data }, {}), {
      baseUrl: 'https://localhost:1/cloud',
      operatorUrl: 'https://localhost:2/_kumoi/v1',
      zone: 'is1a',
      token: 'demo',
      secret: 'shown',
      operatorToken: 'op',
      caFile: '/ca.pem',
      source: `${data}/server.json`,
    })
  })

  test('come from flags before variables, and a key never half from each', (t) => {
    const KUMOI_DATA = runningServer(t)
    const environment = { KUMOI_DATA, KUMOI_TOKEN: 'mine', KUMOI_SECRET: 's', KUMOI_ZONE: 'tk1a' }
    const { token, secret, zone } = readSettings({ zone: 'is1b' }, environment)
    assert.deepEqual([token, secret, zone], ['mine', 's', 'is1b'])
    const other = readSettings({ token: 'other' }, { KUMOI_DATA })
    assert.deepEqual([other.token, other.secret], ['other', undefined])
  })

  test('of the local server are not shown to another one', (t) => {
    const KUMOI_DATA = runningServer(t)
    const settings = readSettings({ url: 'https://far.example.jp/cloud/' }, { KUMOI_DATA })
    assert.deepEqual(settings, {
      baseUrl: 'https://far.example.jp/cloud',
      operatorUrl: 'https://far.example.jp/_kumoi/v1',
      zone: 'is1a',
      token: undefined,
      secret: undefined,
      operatorToken: undefined,
      caFile: undefined,
      source: '--url',
    })
  })

  test('are missing in one readable line', () => {
    assert.throws(() => readSettings({ data: '/nowhere' }, {}), {
      exitCode: 9,
      message: 'No server is running with the data folder /nowhere.',
    })
    assert.throws(() => readSettings({ url: 'localhost' }, {}), { exitCode: 2 })
  })
})
