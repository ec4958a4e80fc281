import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { rootCertificates } from 'node:tls'
import { readChain } from './chain.ts'

test('reads subject, issuer and validity of every root that Node knows', () => {
  for (const pem of rootCertificates) {
    const [read] = readChain(pem)
    const known = new X509Certificate(pem)
    assert.equal(read?.notBefore.getTime(), Date.parse(known.validFrom))
    assert.equal(read?.notAfter.getTime(), Date.parse(known.validTo))
    assert.equal(read?.subject, read?.issuer)
    const common = /^CN=(.*)$/m.exec(known.subject)?.[1]
    if (common !== undefined && !/[\\+]/.test(common)) {
      assert.ok(read?.subject.includes(`CN=${common}`), `${read?.subject} | ${known.subject}`)
    }
  }
})

test('a chain keeps its order, and one that is broken its place', () => {
  const [first = '', second = ''] = rootCertificates
  const cut = first.replace(/[A-Za-z0-9+/=]{64}\n(?=[^\n]*\n?-----END)/, '')
  const chain = readChain(`${second}\n${cut}\nnothing\n${first}`)
  assert.equal(chain.length, 3)
  assert.equal(chain[1], undefined)
  assert.notEqual(chain[0]?.subject, chain[2]?.subject)
  assert.deepEqual(readChain('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'), [])
})
