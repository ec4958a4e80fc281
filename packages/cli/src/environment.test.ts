import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { environmentLines, FORMATS, readAddresses } from './environment.ts'

const addresses = {
  pid: process.pid,
  api: "https://localhost:8443/it's; echo $HOME",
  operator: 'https://localhost:8443/_kumoi/v1',
  caFile: '/some where/ca.pem',
  key: { token: 't', secret: 's' },
}

describe('environmentLines', () => {
  test('can be evaluated by a shell, whatever is in the values', () => {
    const script = `${environmentLines(addresses)}printf '%s|%s' "$CLOUD_API_ROOT_URL" "$NODE_EXTRA_CA_CERTS"`
    const printed = execFileSync('sh', ['-c', script], { encoding: 'utf8' })
    assert.equal(printed, "https://localhost:8443/it's; echo $HOME/zone|/some where/ca.pem")
  })

  test('leaves out what is not known', () => {
    const lines = environmentLines({ ...addresses, caFile: null, key: null })
    assert.ok(!lines.includes('TOKEN') && !lines.includes('CERT'))
  })
})

describe('the other forms', () => {
  test('are read back by the tools that they are for', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-dotenv-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const values = { A: "it's $HOME #1", B: 'say "hi"', C: 'plain' }
    writeFileSync(join(folder, '.env'), FORMATS.dotenv?.(values) ?? '')
    const script =
      'process.stdout.write(JSON.stringify([process.env.A, process.env.B, process.env.C]))'
    const args = [`--env-file=${join(folder, '.env')}`, '-e', script]
    const printed = execFileSync(process.execPath, args, { encoding: 'utf8' })
    assert.deepEqual(JSON.parse(printed), Object.values(values))
    assert.deepEqual(JSON.parse(FORMATS.json?.(values) ?? ''), values)
  })
})

describe('readAddresses', () => {
  test('finds a running server, and none where the process is gone', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'kumoi-env-'))
    t.after(() => rmSync(folder, { recursive: true }))
    assert.equal(readAddresses(folder), undefined)
    writeFileSync(join(folder, 'server.json'), JSON.stringify(addresses))
    assert.deepEqual(readAddresses(folder), addresses)
    writeFileSync(join(folder, 'server.json'), JSON.stringify({ ...addresses, pid: 2 ** 30 }))
    assert.equal(readAddresses(folder), undefined)
  })
})
