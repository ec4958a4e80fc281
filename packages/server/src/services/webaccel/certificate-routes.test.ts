import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '../../kernel/units.ts'
import { raw } from '../../storage/sql.ts'
import {
  type CertificateOptions,
  makeCertificate,
  opensslReads,
} from '../../testing/certificates.ts'
import { engines } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'

const root = makeCertificate({
  isCa: true,
  subject: '/C=JP/O=Root, Inc./OU=Trust/CN=Test Root',
  names: [],
})
const middle = makeCertificate({ isCa: true, subject: '/CN=Test Middle', names: [], issuer: root })
const leaf = makeCertificate({ issuer: middle })
const chain = leaf.certificate + middle.certificate + root.certificate

const body = (CertificateChain: string, Key?: string) => ({
  Certificate: { CertificateChain, Key },
})

for (const engine of engines) {
  describe(`/site/{site_id}/certificate on ${engine.name}`, () => {
    test('has an empty array where there is none', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/certificate`
      for (const query of ['', '?type=current', '?type=old']) {
        assert.deepEqual((await web('GET', path + query)).body, { Certificate: [], is_ok: true })
      }
      assert.equal((await web('GET', `${path}?type=new`)).status, 400)
    })

    test('makes the new one current and the previous one old (STATE-CERTIFICATE-01)', async (t) => {
      const { web, newSite, clock } = await openWeb(t, { engine })
      const id = await newSite()
      const path = `/site/${id}/certificate`
      const first = await web('POST', path, { body: body(chain, leaf.key) })
      assert.equal(first.status, 200)
      assert.deepEqual(first.body.Certificate.Old, [])
      await clock.advanceTo(new Date('2026-04-01T01:00:00+09:00'))
      const renewed = makeCertificate({ issuer: middle, kind: 'rsa' })
      const second = await web('POST', path, {
        body: body(renewed.certificate + middle.certificate, renewed.key),
      })
      assert.deepEqual(second.body.Certificate.Old, [first.body.Certificate.Current])
      assert.notEqual(second.body.Certificate.Current.ID, first.body.Certificate.Current.ID)
      const third = await web('POST', path, { body: body(chain, leaf.key) })
      assert.deepEqual(
        third.body.Certificate.Old,
        [second.body.Certificate.Current],
        'one old generation',
      )
      const { Current } = third.body.Certificate
      assert.deepEqual((await web('GET', `${path}?type=current`)).body.Certificate, { Current })
      assert.deepEqual((await web('GET', `${path}?type=old`)).body.Certificate, {
        Old: third.body.Certificate.Old,
      })
      const { Site } = (await web('GET', `/site/${id}`)).body
      assert.deepEqual(
        [Site.HasCertificate, Site.HasOldCertificate, Site.CertType, Site.CertOpStatus],
        [true, true, '1', '0'],
      )
      assert.deepEqual(
        [Site.CertValidNotBefore, Site.CertValidNotAfter],
        [Current.NotBefore, Current.NotAfter],
      )
      const [listed] = (await web('GET', '/site')).body.Sites
      assert.equal(listed.CertValidNotAfter, Number(Current.NotAfter))
      await web('DELETE', path)
      assert.deepEqual((await web('GET', path)).body.Certificate, {
        Old: third.body.Certificate.Old,
      })
      assert.equal((await web('DELETE', path)).status, 404)
    })

    test('gives numbers for the epochs when asked to', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      await web('POST', `/site/${id}/certificate`, { body: body(chain, leaf.key) })
      const headers = { 'X-Bigint-As-Int': '1' }
      const { Current } = (await web('GET', `/site/${id}/certificate`, { headers })).body
        .Certificate
      const { Site } = (await web('GET', `/site/${id}`, { headers })).body
      assert.ok(Number.isInteger(Current.NotBefore) && Number.isInteger(Site.CertValidNotAfter))
    })

    test('replaces the current one by PUT, and keeps the key when none is sent', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/certificate`
      assert.equal((await web('PUT', path, { body: body(chain) })).status, 400)
      await web('POST', path, { body: body(chain, leaf.key) })
      const shorter = await web('PUT', path, { body: body(leaf.certificate) })
      assert.equal(shorter.body.Certificate.Current.CertificateChain, leaf.certificate)
      assert.deepEqual(shorter.body.Certificate.Old, [])
      const other = makeCertificate({ issuer: middle })
      assert.match(
        (await web('PUT', path, { body: body(other.certificate) })).body.error_msg,
        /Key does not fit/,
      )
      assert.equal(
        (await web('PUT', path, { body: body(other.certificate, other.key) })).status,
        200,
      )
    })

    test('answers 400 that says why, and the certificate in place stays', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/certificate`
      await web('POST', path, { body: body(chain, leaf.key) })
      const before = (await web('GET', path)).text
      const other = makeCertificate()
      const cases: [string, string | undefined, RegExp][] = [
        [chain, undefined, /Key is missing/],
        [chain, '', /Key is missing/],
        [chain, other.key, /Key does not fit the first certificate/],
        [chain, 'nonsense', /Key is not an unencrypted PEM private key/],
        [chain, leaf.certificate, /Key is not an unencrypted PEM private key/],
        [
          middle.certificate + leaf.certificate,
          leaf.key,
          /out of order: certificate 1 is not signed by certificate 2/,
        ],
        [leaf.certificate + root.certificate, leaf.key, /out of order/],
        [leaf.certificate + other.certificate, leaf.key, /out of order/],
        ['', leaf.key, /not a chain of PEM certificates/],
        ['nonsense', leaf.key, /not a chain of PEM certificates/],
        [leaf.key, leaf.key, /not a chain of PEM certificates/],
        [
          leaf.certificate.replace('END CERTIFICATE', 'END'),
          leaf.key,
          /not a chain of PEM certificates/,
        ],
        [
          leaf.certificate.replace(/\n[A-Za-z0-9+/]{64}\n/, '\nAAAA\n'),
          leaf.key,
          /cannot be read at certificate 1/,
        ],
        [leaf.certificate.repeat(11), leaf.key, /more than 10 certificates/],
      ]
      for (const [certificate, key, message] of cases) {
        const answer = await web('POST', path, { body: body(certificate, key) })
        assert.equal(answer.status, 400, String(message))
        assert.match(answer.body.error_msg, message)
      }
      const huge = await web('POST', path, { body: body('x'.repeat(1024 * 1024), leaf.key) })
      assert.equal(huge.status, 413)
      const almost = await web('POST', path, { body: body('A'.repeat(1_000_000), leaf.key) })
      assert.equal(almost.status, 400)
      assert.equal((await web('GET', path)).text, before)
    })

    test('takes a certificate of ten thousand names', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const names = Array.from({ length: 10_000 }, (_, index) => `n${index}.example.jp`)
      const large = makeCertificate({ names })
      const answer = await web('POST', `/site/${await newSite()}/certificate`, {
        body: body(large.certificate, large.key),
      })
      assert.equal(answer.status, 200)
      assert.deepEqual(answer.body.Certificate.Current.DNSNames, names)
    })

    test('never shows a private key, and stores none in clear', async (t) => {
      const { web, newSite, database } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/certificate`
      const made = await web('POST', path, { body: body(chain, leaf.key) })
      const secret = leaf.key.split('\n')[1] ?? ''
      const rows = await database.read((tx) => tx.all(raw('SELECT * FROM site_certificate')))
      for (const text of [made.text, (await web('GET', path)).text, JSON.stringify(rows)]) {
        assert.ok(!text.includes(secret) && !text.includes('PRIVATE KEY'))
      }
    })
  })
}

describe('the reading of a certificate', () => {
  const subject =
    '/C=JP/ST=Tokyo/L=Chiyoda/street=1-1 Marunouchi/postalCode=100-0001/serialNumber=0123/O=日本 Corp/OU=Web/CN=www.example.jp'
  const kinds: [string, CertificateOptions][] = [
    ['RSA, all subject fields', { kind: 'rsa', subject, issuer: root }],
    [
      'EC, several names',
      {
        kind: 'ec',
        names: ['www.example.jp', '*.example.jp', 'xn--wgv71a119e.jp'],
        issuer: middle,
      },
    ],
    ['Ed25519, self-signed, no alternative name', { kind: 'ed25519', names: [] }],
  ]
  for (const [name, options] of kinds) {
    test(`agrees with OpenSSL’s, field by field: ${name}`, async (t) => {
      const { web, newSite } = await openWeb(t)
      const made = makeCertificate(options)
      const answer = await web('POST', `/site/${await newSite()}/certificate`, {
        body: body(made.certificate, made.key),
      })
      assert.equal(answer.status, 200, answer.text)
      const { Current } = answer.body.Certificate
      const theirs = opensslReads(made.certificate)
      assert.equal(Current.SerialNumber, theirs.serial)
      assert.equal(Current.SHA256Fingerprint, theirs['sha256 Fingerprint'])
      assert.equal(Current.NotBefore, String(Date.parse(theirs.notBefore ?? '')))
      assert.equal(Current.NotAfter, String(Date.parse(theirs.notAfter ?? '')))
      const pairs = { Country: 'C', Organization: 'O', OrganizationalUnit: 'OU', CommonName: 'CN' }
      const more = {
        Locality: 'L',
        Province: 'ST',
        StreetAddress: 'street',
        PostalCode: 'postalCode',
        SerialNumber: 'serialNumber',
      }
      for (const [ours, key] of Object.entries(pairs))
        assert.equal(Current.Issuer[ours], theirs[`issuer.${key}`] ?? '', `issuer ${ours}`)
      for (const [ours, key] of Object.entries({ ...pairs, ...more })) {
        assert.equal(Current.Subject[ours], theirs[`subject.${key}`] ?? '', `subject ${ours}`)
      }
      assert.deepEqual(Current.DNSNames, options.names ?? ['www.example.jp'])
      assert.equal(Current.CertificateChain, made.certificate)
    })
  }
})

describe('policy strict', () => {
  test('also wants the domain covered, the day inside, and a signer', async (t) => {
    const { web, newSite, clock } = await openWeb(t, { args: ['--policy', 'strict'] })
    const path = `/site/${await newSite()}/certificate`
    const post = async ({ certificate, key }: { certificate: string; key: string }) =>
      (await web('POST', path, { body: body(certificate, key) })).body.error_msg
    assert.match(
      await post(makeCertificate({ issuer: root, names: ['other.example.jp'] })),
      /does not cover the domain www\.example\.jp/,
    )
    // Only in the common name, where clients do not look.
    assert.match(
      await post(makeCertificate({ issuer: root, names: [] })),
      /does not cover the domain www\.example\.jp/,
    )
    assert.match(await post(makeCertificate()), /is not valid today/)
    await clock.advanceTo(new Date(Date.now() + DAY_MS))
    assert.match(await post(makeCertificate()), /is self-signed/)
    assert.equal(await post(makeCertificate({ issuer: root })), undefined)
    assert.match(await post(makeCertificate({ issuer: root, days: 0 })), /is not valid today/)
  })
})
