/** The unit of deploy/: systemd accepts it, it is hardened, and the server starts with its command line. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { installPackage } from '../packages/server/src/testing/debian.ts'
import { giveCertificate } from '../packages/server/src/testing/tls-files.ts'
import { REPOSITORY } from './lib/program.ts'

const UNIT = readFileSync(join(REPOSITORY, 'deploy', 'kumoi.service'), 'utf8')
const KUMOI = join(REPOSITORY, 'packages/cli/src/kumoi.mjs')
/** Tenths of what `systemd-analyze security` calls exposure, from 0 to 10; below 2 it calls it OK. */
const EXPOSURE_MAX = 20

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-systemd-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const valuesOf = (name: string) =>
  [...UNIT.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value)

describe('deploy/kumoi.service', () => {
  test('is accepted by systemd, and its exposure is low', (t) => {
    const hasIt = () => spawnSync('systemd-analyze', ['--version']).status === 0
    if (!hasIt()) installPackage('systemd')
    if (!hasIt()) return t.skip('there is no systemd-analyze')
    const file = join(temporary(t), 'kumoi.service')
    // The program is not installed here.
    writeFileSync(file, UNIT.replace('ExecStart=kumoi ', `ExecStart=${process.execPath} `))
    const run = (...args: string[]) =>
      spawnSync('systemd-analyze', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
    const verified = run('verify', file)
    // It reads the units of this machine, too, and complains of those.
    const complaints = verified.stderr.split('\n').filter((one) => !/^(\/usr)?\/lib\//.test(one))
    assert.deepEqual([verified.status, complaints.join('')], [0, ''])
    const threshold = `--threshold=${EXPOSURE_MAX}`
    const rated = run('security', '--no-pager', '--offline=yes', threshold, file)
    assert.equal(rated.status, 0, rated.stdout + rated.stderr)
  })

  test('has a command line that a server starts with, and that SIGTERM ends with 0', async (t) => {
    const folder = temporary(t)
    const credentials = join(folder, 'credentials')
    mkdirSync(credentials)
    const tls = join(folder, 'tls')
    const { certFile, keyFile } = giveCertificate(tls)
    renameSync(certFile, join(tls, 'tls.pem'))
    renameSync(keyFile, join(tls, 'tls.key'))
    const contents: Readonly<Record<string, string>> = {
      'config.yaml': 'operator-token: secret\noperator-port: 0\nport: 0\nlog-level: error\n',
      'encryption.key': randomBytes(32).toString('base64'),
    }
    for (const credential of valuesOf('LoadCredential')) {
      const name = credential.split(':')[0] ?? ''
      writeFileSync(join(credentials, name), contents[name] ?? '')
    }
    const [program, ...args] = (valuesOf('ExecStart')[0] ?? '')
      .replaceAll('%d', credentials)
      .replaceAll('%S', folder)
      .replaceAll('/etc/kumoi', folder)
      .split(' ')
    assert.equal(program, 'kumoi')
    const child = spawn(process.execPath, [KUMOI, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    t.after(() => child.kill('SIGKILL'))
    const ended = once(child, 'exit')
    let printed = ''
    for await (const chunk of child.stdout) {
      printed += chunk
      if (printed.includes('Ready.')) break
    }
    assert.match(printed, /Ready\./, String(child.stderr.read()))
    assert.deepEqual(valuesOf('ExecReload'), ['/bin/kill -HUP $MAINPID'])
    child.kill('SIGHUP')
    child.kill('SIGTERM')
    assert.equal((await ended)[0], 0)
  })
})
