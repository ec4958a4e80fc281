import assert from 'node:assert/strict'
import { generateKeyPairSync, X509Certificate } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { HOUR_MS } from '../kernel/units.ts'
import { giveCertificate, makeTls } from '../testing/tls-files.ts'
import { readTls } from './pem-files.ts'

const now = new Date()
const root = fs.mkdtempSync(join(tmpdir(), 'kumoi-pem-'))
after(() => fs.rmSync(root, { recursive: true }))

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

describe('readTls', () => {
  const given = giveCertificate(root)
  const { certFile, keyFile, privateKey } = given
  const other = join(root, 'other.pem')
  const failing = (files: Partial<typeof given>) =>
    thrown(() => readTls({ ...given, ...files }, now))

  test('gives both files as they are, also both in one', () => {
    const [cert, key] = [fs.readFileSync(certFile, 'utf8'), fs.readFileSync(keyFile, 'utf8')]
    assert.deepEqual(readTls({ certFile, keyFile }, now), { cert, key })
    fs.writeFileSync(other, `issued for kumoi.example\n${cert}${key}`)
    readTls({ certFile: other, keyFile: other }, now)
  })

  test('says that a file is missing or a folder', () => {
    const missing = join(root, 'none')
    assert.ok(failing({ certFile: missing }).endsWith('none cannot be read: it does not exist.'))
    assert.ok(failing({ keyFile: missing }).endsWith('none cannot be read: it does not exist.'))
    assert.ok(failing({ keyFile: root }).endsWith(`${root} cannot be read: it is a folder.`))
  })

  test('says that a file is not PEM, or damaged', () => {
    fs.writeFileSync(other, new X509Certificate(fs.readFileSync(certFile)).raw)
    assert.match(failing({ certFile: other }), /other\.pem holds no certificate in PEM/)
    assert.match(failing({ keyFile: other }), /other\.pem holds no private key in PEM/)
    assert.match(failing({ certFile: keyFile }), /given\.key holds no certificate in PEM/)
    assert.match(failing({ keyFile: certFile }), /given\.pem holds no private key in PEM/)
    fs.writeFileSync(other, fs.readFileSync(certFile, 'utf8').replace(/\n.{8}/, '\n'))
    assert.match(failing({ certFile: other }), /other\.pem holds a damaged certificate/)
    fs.writeFileSync(other, fs.readFileSync(keyFile, 'utf8').replace(/\n.{8}/, '\n'))
    assert.match(failing({ keyFile: other }), /other\.pem holds a damaged private key/)
  })

  for (const type of ['pkcs8', 'sec1'] as const) {
    test(`says that a key is encrypted (${type})`, () => {
      const encryption = { cipher: 'aes-256-cbc', passphrase: 'secret' }
      fs.writeFileSync(other, privateKey.export({ type, format: 'pem', ...encryption }))
      assert.match(failing({ keyFile: other }), /key in .*other\.pem is encrypted/)
    })
  }

  test('says that the key does not fit, or that the chain begins at the wrong end', () => {
    for (const key of [
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
    ]) {
      fs.writeFileSync(other, key.export({ type: 'pkcs8', format: 'pem' }))
      assert.match(
        failing({ keyFile: other }),
        /key in .*other\.pem does not belong to .*given\.pem/,
      )
    }
    fs.writeFileSync(other, `${makeTls().cert}${fs.readFileSync(certFile)}`)
    assert.match(failing({ certFile: other }), /other\.pem must begin with the certificate/)
  })

  test('says that a certificate has expired', () => {
    const expired = giveCertificate(join(root, 'expired'), makeTls(['localhost'], -1))
    assert.match(
      thrown(() => readTls(expired, now)),
      /^The certificate in .*given\.pem has expired at \d{4}-/,
    )
  })

  test('says that a certificate is not valid yet, an hour or more before that', () => {
    const { validFromDate } = new X509Certificate(fs.readFileSync(certFile))
    const before = (ms: number) => new Date(validFromDate.getTime() - ms)
    assert.match(
      thrown(() => readTls({ certFile, keyFile }, before(HOUR_MS + 1))),
      /^The certificate in .*given\.pem is not valid before \d{4}-/,
    )
    assert.ok(readTls({ certFile, keyFile }, before(HOUR_MS)))
  })
})
