import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import * as https from 'node:https'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { DAY_MS } from '../kernel/units.ts'
import { issueCertificate } from '../kernel/x509/certificate.ts'
import { giveCertificate } from '../testing/tls-files.ts'
import { issueTls, type LocalTls, loadOrMakeTls } from './local-ca.ts'

const names = ['localhost', '127.0.0.1', '::1']
const now = new Date()
const later = (days: number) => new Date(now.getTime() + days * DAY_MS)

const has = (command: string) => spawnSync(command, ['--version']).error === undefined
const hasIpv6 = Object.values(networkInterfaces()).some((list) =>
  list?.some(({ address }) => address === '::1'),
)
for (const command of ['curl', 'openssl']) {
  if (!has(command)) {
    console.log(`The ${command} command is missing: its view of the certificates is not tested.`)
  }
}

const root = fs.mkdtempSync(join(tmpdir(), 'kumoi-tls-'))
after(() => fs.rmSync(root, { recursive: true }))

let folders = 0
function newFolder(): string {
  folders += 1
  return join(root, `folder-${folders}`)
}

const load = (folder: string | undefined, at = now, wanted: readonly string[] = names) =>
  loadOrMakeTls({ folder, names: wanted, now: at, randomBytes })
const leafOf = (tls: { readonly cert: string }) => new X509Certificate(tls.cert)
const modeOf = (path: string) => (fs.statSync(path).mode & 0o777).toString(8)

function thrown(action: () => unknown): string {
  try {
    action()
  } catch (error) {
    assert.ok(error instanceof Error)
    assert.match(error.message, /^[^\n]+\.$/)
    return error.message
  }
  return assert.fail('nothing was thrown')
}

describe('loadOrMakeTls', () => {
  test('keeps four files that only the owner can reach', () => {
    const folder = newFolder()
    const tls = load(folder)
    assert.deepEqual(fs.readdirSync(folder).sort(), [
      'ca.key',
      'ca.pem',
      'server.key',
      'server.pem',
    ])
    assert.equal(modeOf(folder), '700')
    assert.equal(modeOf(join(folder, 'ca.key')), '600')
    assert.equal(modeOf(join(folder, 'server.key')), '600')
    assert.equal(tls.caFile, join(folder, 'ca.pem'))
    assert.equal(fs.readFileSync(tls.caFile, 'utf8'), tls.ca)
    assert.equal(fs.readFileSync(join(folder, 'server.pem'), 'utf8'), tls.cert)
    assert.equal(fs.readFileSync(join(folder, 'server.key'), 'utf8'), tls.key)
  })

  test('issues certificates for other names by the same CA', () => {
    const tls = load(undefined)
    const other = issueTls(tls, { names: ['www.example.jp'], now, randomBytes })
    assert.equal(leafOf(other).checkHost('www.example.jp'), 'www.example.jp')
    assert.ok(leafOf(other).checkIssued(new X509Certificate(tls.ca)))
  })

  test('makes them once', () => {
    const folder = newFolder()
    const tls = load(folder)
    assert.deepEqual(load(folder), tls)
    assert.deepEqual(load(folder, later(366)), tls)
  })

  test('keeps nothing without a folder', () => {
    const tls = load(undefined)
    assert.equal(tls.caFile, undefined)
    assert.notEqual(load(undefined).ca, tls.ca)
    assert.equal(leafOf(tls).verify(new X509Certificate(tls.ca).publicKey), true)
  })

  test('closes files and folders that were left open to others', () => {
    const folder = newFolder()
    fs.mkdirSync(folder, { mode: 0o755 })
    load(folder)
    fs.chmodSync(join(folder, 'server.key'), 0o644)
    load(folder)
    assert.equal(modeOf(folder), '700')
    assert.equal(modeOf(join(folder, 'server.key')), '600')
  })

  for (const [title, days] of [
    ['ends within 30 days', 367.5],
    ['has expired', 400],
  ] as const) {
    test(`issues a new server certificate by the same CA when the old one ${title}`, () => {
      const folder = newFolder()
      const first = load(folder)
      const second = load(folder, later(days))
      assert.equal(second.ca, first.ca)
      assert.notEqual(second.key, first.key)
      assert.ok(leafOf(second).validToDate > later(days + 390))
      assert.deepEqual(load(folder, later(days)), second)
    })
  }

  test('issues a new one when the old one is not yet valid but the CA is', () => {
    const folder = newFolder()
    const first = load(folder)
    load(folder, later(500))
    const third = load(folder)
    assert.equal(third.ca, first.ca)
    assert.ok(leafOf(third).validFromDate < now)
  })

  test('issues a new one when a name is missing, and keeps one that has more names', () => {
    const folder = newFolder()
    const first = load(folder)
    const second = load(folder, now, [...names, 'Kumoi.Example.', '192.0.2.7'])
    assert.equal(second.ca, first.ca)
    assert.notEqual(second.cert, first.cert)
    assert.equal(leafOf(second).checkHost('kumoi.example'), 'kumoi.example')
    assert.deepEqual(load(folder), second)
    assert.match(
      thrown(() => load(folder, now, ['a b'])),
      /"a b" is neither/,
    )
  })

  test('makes a new CA when the old one has expired', () => {
    const folder = newFolder()
    const first = load(folder)
    const second = load(folder, later(3651))
    assert.notEqual(second.ca, first.ca)
    assert.equal(leafOf(second).checkIssued(new X509Certificate(second.ca)), true)
  })

  test('issues none that outlives its CA, and not one at each start in its last month', () => {
    const folder = newFolder()
    load(folder)
    const last = load(folder, later(3640))
    assert.deepEqual(leafOf(last).validToDate, new X509Certificate(last.ca).validToDate)
    assert.deepEqual(load(folder, later(3641)), last)
  })

  test('refuses to replace a CA that is only not yet valid', () => {
    const folder = newFolder()
    const first = load(folder)
    assert.match(
      thrown(() => load(folder, later(-1))),
      /ca\.pem is valid only from .* clock/,
    )
    assert.deepEqual(load(folder), first)
  })

  for (const file of ['ca.key', 'ca.pem']) {
    test(`makes a new CA when ${file} is lost or is that of another`, () => {
      const [folder, other] = [newFolder(), newFolder()]
      const first = load(folder)
      fs.rmSync(join(folder, file))
      const second = load(folder)
      assert.notEqual(second.ca, first.ca)
      assert.notEqual(second.cert, first.cert)
      load(other)
      fs.copyFileSync(join(other, file), join(folder, file))
      const third = load(folder)
      assert.notEqual(third.ca, second.ca)
      assert.equal(leafOf(third).verify(new X509Certificate(third.ca).publicKey), true)
      assert.deepEqual(load(folder), third)
    })
  }

  test('makes a new CA when the kept one is not a CA', () => {
    const folder = newFolder()
    const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const subject = 'Kumoi local CA 00000000'
    const pem = issueCertificate({
      subject,
      publicKey: keys.publicKey,
      issuer: { name: subject, key: keys.privateKey, publicKey: keys.publicKey },
      serialNumber: randomBytes(8),
      notBefore: now,
      notAfter: later(10),
      isCa: false,
    })
    fs.mkdirSync(folder)
    fs.writeFileSync(join(folder, 'ca.pem'), pem)
    fs.writeFileSync(
      join(folder, 'ca.key'),
      keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
    )
    assert.notEqual(load(folder).ca, pem)
  })

  for (const file of ['server.key', 'server.pem']) {
    test(`issues a new server certificate when ${file} is lost or is that of another`, () => {
      const [folder, other] = [newFolder(), newFolder()]
      const first = load(folder)
      fs.rmSync(join(folder, file))
      const second = load(folder)
      assert.notEqual(second.cert, first.cert)
      load(other)
      fs.copyFileSync(join(other, file), join(folder, file))
      const third = load(folder)
      assert.equal(third.ca, first.ca)
      assert.equal(leafOf(third).verify(new X509Certificate(first.ca).publicKey), true)
      assert.deepEqual(load(folder), third)
    })
  }

  for (const file of ['ca.key', 'ca.pem', 'server.key', 'server.pem']) {
    test(`names ${file} when it is corrupt, and leaves it as it is`, () => {
      const folder = newFolder()
      load(folder)
      const path = join(folder, file)
      const whole = fs.readFileSync(path, 'utf8')
      for (const corrupt of ['', 'junk', whole.slice(0, 90), whole.replace(/\n.{9}/, '\n*')]) {
        fs.writeFileSync(path, corrupt)
        assert.ok(thrown(() => load(folder)).includes(`The file ${path} holds `))
        assert.equal(fs.readFileSync(path, 'utf8'), corrupt)
      }
    })
  }

  test("does not overwrite an operator's own certificate or key", () => {
    const [folder, own] = [newFolder(), newFolder()]
    load(folder)
    const given = giveCertificate(own)
    for (const role of ['ca', 'server']) {
      const path = join(folder, `${role}.pem`)
      const kept = fs.readFileSync(path)
      fs.copyFileSync(given.certFile, path)
      assert.match(
        thrown(() => load(folder)),
        new RegExp(`${path} was not made by this server`),
      )
      fs.writeFileSync(path, kept)
    }
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
    fs.writeFileSync(join(folder, 'ca.key'), rsa.export({ type: 'pkcs8', format: 'pem' }))
    assert.match(
      thrown(() => load(folder)),
      /ca\.key was not made by this server/,
    )
  })

  test('says which folder or file it cannot write', () => {
    const file = newFolder()
    fs.writeFileSync(file, '')
    assert.ok(thrown(() => load(join(file, 'tls'))).includes(`${file}/tls cannot be made`))
    const folder = newFolder()
    fs.mkdirSync(join(folder, 'ca.key'), { recursive: true })
    assert.match(
      thrown(() => load(folder)),
      /ca\.key cannot be read: it is a folder\.$/,
    )
  })
})

describe('a server with the local certificate', () => {
  const hosts = ['localhost', '127.0.0.1', ...(hasIpv6 ? ['[::1]'] : [])]
  let tls: LocalTls
  let server: https.Server
  let port: number

  before(async () => {
    tls = load(newFolder())
    server = https.createServer(tls, (_, response) => response.end('hello'))
    server.listen(0, hasIpv6 ? '::' : '127.0.0.1')
    await once(server, 'listening')
    // A server that listens on a port has an address with a port.
    port = (server.address() as AddressInfo).port
  })
  after(() => {
    server.close()
    server.closeAllConnections()
  })

  for (const host of hosts) {
    test(`is trusted by Node at ${host}`, async () => {
      const request = https.get(`https://${host}:${port}`, { ca: tls.ca, agent: false })
      const [response] = await once(request, 'response')
      response.resume()
      assert.equal(response.statusCode, 200)
    })

    test(`is trusted by curl at ${host}`, { skip: !has('curl') }, async () => {
      const args = ['--silent', '--show-error', '--noproxy', '*', '--cacert', tls.caFile ?? '']
      const url = `https://${host}:${port}`
      const { stdout } = await promisify(execFile)('curl', [...args, url])
      assert.equal(stdout, 'hello')
    })
  }

  test('is refused by a client that trusts another CA', async () => {
    const other = load(undefined).ca
    const request = https.get(`https://localhost:${port}`, { ca: other, agent: false })
    await assert.rejects(once(request, 'response'))
  })

  test('is verified strictly by openssl', { skip: !has('openssl') }, () => {
    const file = join(root, 'leaf.pem')
    fs.writeFileSync(file, `${leafOf(tls)}`)
    const args = ['verify', '-x509_strict', '-CAfile', tls.caFile ?? '', file]
    const { status, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
  })
})
