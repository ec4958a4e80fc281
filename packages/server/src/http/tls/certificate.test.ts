import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { DAY_MS } from '../../kernel/units.ts'
import { type CertificateRequest, certificateName, issueCertificate } from './certificate.ts'

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
if (!hasOpenssl) {
  console.log('The openssl command is missing: its view of the certificates is not tested.')
}

const now = new Date()
const later = (days: number) => new Date(now.getTime() + days * DAY_MS)
const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })
const caKeys = newKeys()
const serverKeys = newKeys()
const issuer = { name: 'Test CA', key: caKeys.privateKey, publicKey: caKeys.publicKey }

const caRequest: CertificateRequest = {
  subject: 'Test CA',
  publicKey: caKeys.publicKey,
  issuer,
  serialNumber: randomBytes(16),
  notBefore: now,
  notAfter: later(3650),
  isCa: true,
}
const serverRequest: CertificateRequest = {
  subject: 'サーバー',
  publicKey: serverKeys.publicKey,
  issuer,
  serialNumber: Buffer.from('ff00000000000000000000000000000a', 'hex'),
  notBefore: now,
  notAfter: later(396),
  isCa: false,
  names: [
    'LOCALHOST.',
    'localhost',
    'bücher.example',
    '127.0.0.1',
    '::1',
    '2001:db8::a:0:1',
    '::ffff:192.0.2.1',
    '1:2:3:4:5:6:7:8',
    '::',
    'fe80::',
  ],
}

function openssl(...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('openssl', args, { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  return stdout
}

function inFiles(use: (caFile: string, serverFile: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-certificate-'))
  try {
    const [caFile, serverFile] = [join(folder, 'ca.pem'), join(folder, 'server.pem')]
    writeFileSync(caFile, issueCertificate(caRequest))
    writeFileSync(serverFile, issueCertificate(serverRequest))
    use(caFile, serverFile)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

describe('issueCertificate', () => {
  test('makes a server certificate that fits its CA, its key and its names', () => {
    const ca = new X509Certificate(issueCertificate(caRequest))
    const server = new X509Certificate(issueCertificate(serverRequest))
    assert.equal(server.checkIssued(ca), true)
    assert.equal(server.verify(caKeys.publicKey), true)
    assert.equal(server.checkPrivateKey(serverKeys.privateKey), true)
    assert.equal(server.serialNumber, 'FF00000000000000000000000000000A')
    assert.equal(server.subject, 'CN=サーバー')
    assert.equal(server.ca, false)
    assert.equal(ca.ca, true)
    assert.deepEqual(server.keyUsage, ['1.3.6.1.5.5.7.3.1'])
    assert.equal(server.validToDate.getTime(), Math.floor(later(396).getTime() / 1000) * 1000)
    assert.equal(
      server.subjectAltName,
      [
        'DNS:localhost',
        'DNS:xn--bcher-kva.example',
        'IP Address:127.0.0.1',
        'IP Address:0:0:0:0:0:0:0:1',
        'IP Address:2001:DB8:0:0:0:A:0:1',
        'IP Address:0:0:0:0:0:FFFF:C000:201',
        'IP Address:1:2:3:4:5:6:7:8',
        'IP Address:0:0:0:0:0:0:0:0',
        'IP Address:FE80:0:0:0:0:0:0:0',
      ].join(', '),
    )
  })

  test('writes times from 2050 on', () => {
    const notAfter = new Date('2055-06-07T08:09:10Z')
    const ca = new X509Certificate(issueCertificate({ ...caRequest, notAfter }))
    assert.deepEqual(ca.validToDate, notAfter)
  })

  test('accepts the serial number with the most octets, and no more', () => {
    const issue = (serialNumber: Uint8Array) => issueCertificate({ ...caRequest, serialNumber })
    issue(Buffer.concat([Buffer.of(0x7f), Buffer.alloc(19)]))
    for (const serial of [Buffer.alloc(20, 0xff), Buffer.alloc(21, 1), Buffer.alloc(16)]) {
      assert.throws(() => issue(serial), RangeError)
    }
  })

  test('refuses a server certificate of more than 397 days', () => {
    const ending = (at: number) => issueCertificate({ ...serverRequest, notAfter: new Date(at) })
    const limit = later(397).getTime()
    ending(limit - 1000)
    assert.throws(() => ending(limit), /at most 397 days/)
    assert.throws(() => ending(now.getTime()), /ends after it begins/)
  })

  test('refuses to sign with any key but an EC key on P-256', () => {
    for (const keys of [
      generateKeyPairSync('ec', { namedCurve: 'P-384' }),
      generateKeyPairSync('ed25519'),
    ]) {
      const other = { name: 'x', key: keys.privateKey, publicKey: keys.publicKey }
      assert.throws(() => issueCertificate({ ...caRequest, issuer: other }), /P-256/)
    }
  })

  test('refuses a common name that is empty or too long', () => {
    for (const subject of ['', 'x'.repeat(65)]) {
      assert.throws(() => issueCertificate({ ...caRequest, subject }), /1 to 64/)
    }
  })
})

describe('certificateName', () => {
  test('gives the ASCII form', () => {
    assert.equal(certificateName('API.Example.com.'), 'api.example.com')
    assert.equal(certificateName('*.example.com'), '*.example.com')
    assert.equal(certificateName('a_b.c-d'), 'a_b.c-d')
    assert.equal(certificateName('2001:DB8::1'), '2001:DB8::1')
  })

  test('refuses what is neither a host name nor an address', () => {
    const bad = ['', '.', 'a b', 'a:443', '[::1]', 'fe80::1%lo', '127.1', 'a..b', 'a/b', '-a', 'a*']
    for (const name of [...bad, `${'a.'.repeat(127)}a`, 'a'.repeat(64), 'x@y', 'a\0b']) {
      assert.throws(() => certificateName(name), /neither a host name nor an IP address/, name)
    }
  })
})

describe('openssl', { skip: !hasOpenssl }, () => {
  test('verifies the chain strictly, for each kind of name', () => {
    inFiles((caFile, serverFile) => {
      const strict = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', caFile]
      openssl(...strict, '-verify_hostname', 'localhost', serverFile)
      openssl(...strict, '-verify_ip', '127.0.0.1', serverFile)
      openssl(...strict, '-verify_ip', '::1', serverFile)
      openssl('verify', '-x509_strict', '-CAfile', caFile, caFile)
    })
  })

  test('reads the extensions of the server certificate', () => {
    inFiles((_, serverFile) => {
      const text = openssl('x509', '-in', serverFile, '-noout', '-text')
      assert.match(text, /Version: 3 \(0x2\)/)
      assert.match(text, /Signature Algorithm: ecdsa-with-SHA256/)
      assert.match(text, /X509v3 Basic Constraints: critical\s+CA:FALSE/)
      assert.match(text, /X509v3 Key Usage: critical\s+Digital Signature\n/)
      assert.match(text, /X509v3 Extended Key Usage: \s+TLS Web Server Authentication\n/)
      assert.match(text, /X509v3 Subject Alternative Name: \s+DNS:localhost/)
    })
  })

  test('reads the extensions of the CA, whose key identifier the server certificate names', () => {
    inFiles((caFile, serverFile) => {
      const text = openssl('x509', '-in', caFile, '-noout', '-text')
      assert.match(text, /X509v3 Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/)
      assert.match(text, /X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\n/)
      assert.doesNotMatch(text, /Extended Key Usage/)
      const own = /Subject Key Identifier: \s+([0-9A-F:]{59})/.exec(text)?.[1] ?? 'none'
      const leaf = openssl('x509', '-in', serverFile, '-noout', '-text')
      assert.match(leaf, new RegExp(`Authority Key Identifier: \\s+(keyid:)?${own}`))
    })
  })
})
