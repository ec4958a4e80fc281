import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bannerOf, CLOUD, KUMOI, launch, run, start, temporaryFolder } from './server.ts'

describe('starting', () => {
  test('shows where everything is, and the line to try is answered', async (t) => {
    const data = temporaryFolder(t)
    const server = await start(data)
    t.after(() => server.stop())
    assert.match(server.banner, /^Kumoi \d+\.\d+\.\d+\n/)
    for (const word of ['API ', 'Console ', 'API key ', 'CA file ', 'Operator ', 'kumoi env']) {
      assert.ok(server.banner.includes(word), word)
    }
    const command = /^Try: (curl .*)$/m.exec(server.banner)?.[1]
    assert.ok(command)
    const answer = execFileSync('sh', ['-c', `${command} -sS`], { encoding: 'utf8' })
    assert.equal(JSON.parse(answer).Account.Code, 'demo')
  })

  test('keeps its secrets to the owner, and makes them once', async (t) => {
    const data = temporaryFolder(t)
    const first = await start(data)
    const kept = ['operator.token', 'encryption.key', 'tls/ca.key', 'tls/server.key']
    for (const file of kept) assert.equal(statSync(join(data, file)).mode & 0o777, 0o600, file)
    const before = kept.map((file) => readFileSync(join(data, file), 'utf8'))
    assert.equal((await first.stop()).code, 0)
    const second = await start(data)
    t.after(() => second.stop())
    assert.deepEqual(
      kept.map((file) => readFileSync(join(data, file), 'utf8')),
      before,
    )
  })

  test('keeps its database to the owner, also in a folder that others could read', async (t) => {
    const data = temporaryFolder(t)
    const modeOf = (file: string) => statSync(join(data, file)).mode & 0o777
    const files = ['kumoi.db', 'kumoi.db-wal', 'kumoi.db-shm', 'owner.lock', 'operator.token']
    chmodSync(data, 0o755)
    const first = await start(data)
    for (const file of files) assert.equal(modeOf(file), 0o600, file)
    assert.equal(modeOf('.'), 0o700)
    await first.stop()
    chmodSync(data, 0o755)
    for (const file of ['kumoi.db', 'operator.token']) chmodSync(join(data, file), 0o644)
    const second = await start(data)
    t.after(() => second.stop())
    for (const file of files) assert.equal(modeOf(file), 0o600, file)
    for (const folder of ['.', 'blobs', 'snapshots', 'tls']) assert.equal(modeOf(folder), 0o700)
  })

  test('serves plain HTTP on loopback only when asked to', async (t) => {
    const server = await start(temporaryFolder(t), ['--http-port', '0'])
    t.after(() => server.stop())
    const url = /Plain HTTP +(\S+)/.exec(server.banner)?.[1]
    assert.ok(url)
    const authorization = `Basic ${Buffer.from('demo-token:demo-secret').toString('base64')}`
    const response = await fetch(`${url}/zone/is1a/api/cloud/1.1/auth-status`, {
      headers: { authorization },
    })
    assert.equal(response.status, 200)
  })

  test('refuses plain HTTP on the TLS port with a readable answer', async (t) => {
    const server = await start(temporaryFolder(t))
    t.after(() => server.stop())
    const response = await fetch(`${server.origin.replace('https', 'http')}${CLOUD}/auth-status`)
    assert.equal(response.status, 403)
    const body = (await response.json()) as { error_msg: string; is_ok: boolean }
    assert.match(body.error_msg, /HTTPS only/)
    assert.equal(body.is_ok, false)
  })

  test('keeps nothing on disk with --memory', async (t) => {
    const folder = temporaryFolder(t)
    const child = launch(['--memory', '--port', '0'], {}, folder)
    const text = await bannerOf(child)
    assert.match(text, /CA file +in memory; save it from https:\S+\/_kumoi\/v1\/ca\.pem/)
    assert.match(text, /curl --insecure -u demo-token:demo-secret/)
    child.kill('SIGTERM')
    await once(child, 'close')
    assert.deepEqual(readdirSync(folder), [])
  })

  test('gives the operator API a listener of its own', async (t) => {
    const server = await start(temporaryFolder(t), ['--operator-port', '0'])
    t.after(() => server.stop())
    assert.equal((await server.ask('GET', '/_kumoi/v1/health/live')).status, 404)
    const operator = /Operator +https:\/\/[^/]+:(\d+)/.exec(server.banner)?.[1]
    assert.notEqual(operator, new URL(server.origin).port)
  })

  test('makes the same ids and serials again from the same seed', async (t) => {
    const args = ['--seed', '7', '--clock', 'frozen@2026-04-01T00:00:00+09:00']
    const serials: string[] = []
    for (let round = 0; round < 2; round += 1) {
      const server = await start(temporaryFolder(t), args)
      serials.push((await server.ask('GET', '/nothing')).body.serial)
      await server.stop()
    }
    assert.equal(serials[0], serials[1])
  })
})

describe('the clock', () => {
  test('is after a restart what it was, and goes back only with empty data', async (t) => {
    const data = temporaryFolder(t)
    const token = () => readFileSync(join(data, 'operator.token'), 'utf8').trim()
    const first = await start(data)
    t.after(() => first.stop())
    await first.operator('PUT', '/clock', token(), { mode: 'frozen' })
    const { body: moved } = await first.operator('POST', '/clock/advance', token(), { by: '2d' })
    await first.stop('SIGKILL')
    const refused = await run(['--port', '0', '--data', data, '--clock', 'real'])
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /^kumoi: The clock of the data .*--clock real .*kumoi reset empty/)
    const second = await start(data)
    t.after(() => second.stop())
    const { body: clock } = await second.operator('GET', '/clock', token())
    assert.deepEqual([clock.mode, clock.now], ['frozen', moved.now])
    const doctor = spawnSync(process.execPath, [KUMOI, 'doctor', '--data', data])
    assert.match(String(doctor.stdout), /^ok {5}clock +frozen at .*ahead of ours; it stays so/m)
    await second.operator('POST', '/reset', token(), { to: 'empty' })
    await second.stop()
    const third = await start(data, ['--clock', 'real'])
    t.after(() => third.stop())
    assert.equal((await third.operator('GET', '/clock', token())).body.mode, 'real')
  })
})

describe('what keeps it from starting is one clear line, exit code 1', () => {
  const url = 'http://127.0.0.1:13013/cgi-bin/sendsms'
  const KANNEL = [
    ...['--memory', '--sms-transport', 'kannel', '--sms-url', url, '--sms-user', 'kumoi'],
  ]
  const cases: [string, (folder: string) => string[], RegExp][] = [
    ['a flag that does not exist', () => ['--nothing'], /Unknown option '--nothing'/],
    [
      'a broken world file',
      (folder) => {
        writeFileSync(join(folder, 'world.yaml'), 'version: 1\naccounts:\n  - code: x\n')
        return ['--memory', '--world', join(folder, 'world.yaml')]
      },
      /world\.yaml:3: accounts\[0\]\.name is missing/,
    ],
    [
      'a world file that is not there',
      () => ['--memory', '--world', '/nowhere.yaml'],
      /The world file \/nowhere\.yaml cannot be read: ENOENT/,
    ],
    [
      'a data folder that cannot be written',
      (folder) => {
        writeFileSync(join(folder, 'file'), '')
        return ['--data', join(folder, 'file', 'data')]
      },
      /The data folder .* cannot be written: ENOTDIR/,
    ],
    [
      'a data folder where nothing can be made',
      () => ['--data', '/proc/kumoi'],
      /The data folder \/proc\/kumoi cannot be written/,
    ],
    [
      'a certificate that is none',
      (folder) => {
        writeFileSync(join(folder, 'cert.pem'), 'x')
        writeFileSync(join(folder, 'key.pem'), 'x')
        return [
          '--memory',
          '--tls-cert',
          join(folder, 'cert.pem'),
          '--tls-key',
          join(folder, 'key.pem'),
        ]
      },
      /cert\.pem/,
    ],
    [
      'a database that does not answer',
      (folder) => ['--data', folder, '--database', 'postgres://x@127.0.0.1:1/y'],
      /The database cannot be used: .*ECONNREFUSED/,
    ],
    [
      'a database file that is none',
      (folder) => {
        writeFileSync(
          join(folder, 'kumoi.db'),
          'this is not a database, and long enough to be looked at as one'.repeat(20),
        )
        return ['--data', folder]
      },
      /kumoi\.db cannot be opened: file is not a database/,
    ],
    [
      'a key file of another size',
      (folder) => {
        writeFileSync(join(folder, 'short.key'), 'AAAA')
        return ['--memory', '--key-file', join(folder, 'short.key')]
      },
      /must hold 32 bytes in base64/,
    ],
    [
      'a password file of Kannel that is not there',
      () => [...KANNEL, '--sms-password-file', '/nowhere.password'],
      /The file \/nowhere\.password of --sms-password-file cannot be read: ENOENT/,
    ],
    [
      'a password file with more than a line',
      (folder) => {
        writeFileSync(join(folder, 'password'), 'first-secret\nsecond\n')
        return [...KANNEL, '--sms-password-file', join(folder, 'password')]
      },
      /password of --sms-password-file must hold one line of 1 to 1024 characters\.\n$/,
    ],
    ['mode operate without what it needs', () => ['--mode', 'operate'], /--mode operate needs/],
  ]
  for (const [name, args, message] of cases) {
    test(name, async (t) => {
      const { code, stdout, stderr } = await run(['--port', '0', ...args(temporaryFolder(t))])
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, message)
      assert.match(stderr, /^kumoi: [^\n]+\n$/, 'one line, no stack')
    })
  }

  const damages: [string, (file: string) => void, RegExp][] = [
    ['is empty', (file) => truncateSync(file, 0), /kumoi\.db is empty\. Restore it from a backup/],
    [
      'was cut off',
      (file) => truncateSync(file, statSync(file).size - 4096),
      /kumoi\.db is cut off: .*\. Restore it/,
    ],
    [
      'is damaged inside',
      (file) => {
        const content = readFileSync(file)
        // The last page but one.
        writeFileSync(file, content.fill(0xaa, content.length - 8192, content.length - 4096))
      },
      /kumoi\.db is damaged \(.*\)\. Restore it/,
    ],
  ]
  for (const [what, damage, message] of damages) {
    test(`a database that ${what}, and leaves it as it is`, async (t) => {
      const data = temporaryFolder(t)
      await (await start(data)).stop()
      const file = join(data, 'kumoi.db')
      damage(file)
      const before = readFileSync(file)
      const { code, stderr } = await run(['--port', '0', '--data', data])
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.match(stderr, /^kumoi: [^\n]+\n$/, 'one line, no stack')
      assert.ok(readFileSync(file).equals(before))
    })
  }

  test('a port in use', async (t) => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    t.after(() => taken.close())
    const address = taken.address()
    assert.ok(typeof address === 'object' && address)
    const { code, stderr } = await run(['--memory', '--port', String(address.port)])
    assert.equal(code, 1)
    assert.equal(stderr, `kumoi: Port ${address.port} on 127.0.0.1 is in use by another program.\n`)
  })

  test('a data folder that another process owns', async (t) => {
    const data = temporaryFolder(t)
    const server = await start(data)
    t.after(() => server.stop())
    const { code, stderr } = await run(['--port', '0', '--data', data])
    assert.equal(code, 1)
    assert.equal(stderr, `kumoi: The data folder ${data} is in use by another Kumoi process.\n`)
  })

  test('another encryption key than the database was made with', async (t) => {
    const data = temporaryFolder(t)
    await (await start(data)).stop()
    mkdirSync(join(data, 'other'))
    writeFileSync(join(data, 'other', 'key'), Buffer.alloc(32, 9).toString('base64'))
    const { code, stderr } = await run([
      '--port',
      '0',
      '--data',
      data,
      '--key-file',
      join(data, 'other', 'key'),
    ])
    assert.equal(code, 1)
    assert.match(
      stderr,
      /^kumoi: The key-encryption key is not the one that this database was made with.*\n$/,
    )
  })
})

describe('--help', () => {
  test('lists the settings', async () => {
    const { code, stdout } = await run(['--help'])
    assert.equal(code, 0)
    assert.match(stdout, /--http-port PORT/)
  })
})
