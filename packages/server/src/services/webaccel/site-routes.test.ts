import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { engines, sharedPostgres } from '../../testing/engines.ts'
import { BUCKET, DRAFT, openWeb, WEBACCEL } from '../../testing/webaccel.ts'

for (const engine of engines) {
  describe(`/site on ${engine.name}`, () => {
    test('creates a site and shows it in the form of the interface', async (t) => {
      const { web } = await openWeb(t, { engine })
      const made = await web('POST', '/site', {
        body: { Site: { ...DRAFT, HostHeader: 'www.example.jp' } },
      })
      assert.equal(made.status, 200, 'ERROR-WEBACCEL-200')
      const { Site } = made.body
      assert.match(Site.ID, /^9\d{11}$/)
      assert.match(Site.Subdomain, /^[0-9a-f]{12}\.user\.webaccel\.example$/)
      assert.deepEqual(Site, {
        ID: Site.ID,
        Name: 'www',
        DomainType: 'own_domain',
        Domain: 'www.example.jp',
        ASCIIDomain: 'www.example.jp',
        Subdomain: Site.Subdomain,
        OriginProtocol: 'https',
        RequestProtocol: '0',
        OriginType: '0',
        Origin: 'origin.example.jp',
        HostHeader: 'www.example.jp',
        VarySupport: '0',
        NormalizeAE: '1',
        CORSRules: [],
        Status: 'disabled',
        OriginGuardToken: '',
        NextOriginGuardToken: '',
        DefaultCacheTTL: 0,
        CreatedAt: '2026-04-01T00:00:00+09:00',
        HasCertificate: false,
        HasOldCertificate: false,
        GibSentInLastWeek: 0,
        CertType: '',
        CertOpStatus: '',
        OnetimeURLSecrets: [],
        CertValidNotBefore: null,
        CertValidNotAfter: null,
      })
      assert.deepEqual((await web('GET', `/site/${Site.ID}`)).body, { Site, is_ok: true })
    })

    test('lists at most 20 an answer, with Index and without one-time secrets (LIMIT-02)', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      for (let index = 0; index < 21; index += 1) {
        await newSite({ Domain: `w${index}.example.jp`, OnetimeURLSecrets: ['hidden-one'] })
      }
      const first = await web('GET', '/site')
      const { Total, From, Count, CountLimit, Sites } = first.body
      assert.deepEqual([Total, From, Count, CountLimit], [21, 0, 20, 20])
      assert.deepEqual(
        Sites.map(({ Index }: { Index: number }) => Index),
        Array.from({ length: 20 }, (_, index) => index),
      )
      assert.ok(!first.text.includes('OnetimeURLSecrets') && !first.text.includes('hidden-one'))
      const rest = await web('GET', '/site?From=20&Count=100')
      assert.deepEqual([rest.body.Count, rest.body.Sites[0].Index], [1, 20])
      const asked = await web('GET', '/site?From=1&Count=2')
      assert.deepEqual([asked.body.From, asked.body.Count], [1, 2])
      for (const object of ['{"From":1,"Count":2}', '{"Filter":{"Name":"x"}}', '{broken']) {
        for (const query of [object, encodeURIComponent(object)]) {
          const all = await web('GET', `/site?${query}`)
          assert.deepEqual([all.body.From, all.body.Count], [0, 20], query)
        }
      }
      assert.equal((await web('GET', '/site?From=-1')).status, 400)
    })

    test('makes the ASCII form of an internationalised domain, strictly', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite({ Domain: '日本語.example.jp' })
      assert.equal(
        (await web('GET', `/site/${id}`)).body.Site.ASCIIDomain,
        'xn--wgv71a119e.example.jp',
      )
      for (const Domain of [
        'exa mple.jp',
        '-a.example.jp',
        'a_b.example.jp',
        'example',
        'xn--a.example.jp',
        '192.0.2.1',
        `${'a'.repeat(64)}.jp`,
        'a..jp',
        '☃.jp',
        'xn--n3h.jp',
        '♥.example.jp',
        '',
      ]) {
        const answer = await web('POST', '/site', { body: { Site: { ...DRAFT, Domain } } })
        assert.equal(answer.status, 400, Domain)
        assert.match(answer.body.error_msg, /Site\.Domain/)
      }
    })

    test('gives a domain to one site only, also when two ask at once', async (t) => {
      const { web } = await openWeb(t, { engine })
      const answers = await Promise.all(
        Array.from({ length: 5 }, () => web('POST', '/site', { body: { Site: DRAFT } })),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400, 400, 400])
    })

    test('delivers a site without a domain under its subdomain', async (t) => {
      const { web } = await openWeb(t, { engine })
      const made = await web('POST', '/site', {
        body: { Site: { ...DRAFT, DomainType: 'subdomain', Domain: null } },
      })
      assert.equal(made.body.Site.Domain, made.body.Site.Subdomain)
    })

    test('changes only the listed fields, and what is written is what is read', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      const before = (await web('GET', `/site/${id}`)).body.Site
      const change = {
        Name: 'renamed',
        RequestProtocol: '2',
        DefaultCacheTTL: 604_800,
        VarySupport: '1',
        NormalizeAE: '3',
        CORSRules: [{ AllowedOrigins: ['https://app.example.jp', 'http://localhost:3000'] }],
        OnetimeURLSecrets: ['secret-1', 'secret-2'],
        HostHeader: 'other.example.jp',
      }
      const changed = await web('PUT', `/site/${id}`, { body: { Site: change } })
      assert.deepEqual(changed.body, { Site: { ...before, ...change }, is_ok: true })
      const one = await web('PUT', `/site/${id}`, {
        body: {
          Site: {
            CORSRules: [{ AllowsAnyOrigin: true, AllowedOrigins: null }],
            DefaultCacheTTL: -1,
          },
        },
      })
      assert.deepEqual(one.body.Site, {
        ...before,
        ...change,
        CORSRules: [{ AllowsAnyOrigin: true }],
        DefaultCacheTTL: -1,
      })
      const none = await web('PUT', `/site/${id}`, {
        body: { Site: { CORSRules: [], OnetimeURLSecrets: [] } },
      })
      assert.deepEqual([none.body.Site.CORSRules, none.body.Site.OnetimeURLSecrets], [[], []])
    })

    test('changes the origin type when all that it needs is sent, and keeps its secret', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      const { SecretAccessKey, ...shown } = BUCKET
      for (const field of [
        'BucketName',
        'S3Endpoint',
        'S3Region',
        'AccessKeyID',
        'SecretAccessKey',
      ]) {
        const answer = await web('PUT', `/site/${id}`, {
          body: { Site: { ...BUCKET, [field]: undefined } },
        })
        assert.equal(answer.status, 400, field)
        assert.match(answer.body.error_msg, new RegExp(`Site\\.${field}`))
      }
      const changed = await web('PUT', `/site/${id}`, {
        body: { Site: { ...BUCKET, DocIndex: '1' } },
      })
      assert.equal(changed.status, 200)
      for (const [field, value] of Object.entries({ ...shown, DocIndex: '1' }))
        assert.equal(changed.body.Site[field], value)
      assert.equal(changed.body.Site.Origin, undefined)
      for (const answer of [changed, await web('GET', `/site/${id}`), await web('GET', '/site')]) {
        assert.ok(
          !answer.text.includes(SecretAccessKey) && !answer.text.includes('SecretAccessKey'),
        )
      }
      const back = await web('PUT', `/site/${id}`, {
        body: { Site: { OriginType: '0', Origin: 'o.example.jp' } },
      })
      assert.deepEqual(
        [back.body.Site.Origin, back.body.Site.HostHeader, back.body.Site.BucketName],
        ['o.example.jp', 'o.example.jp', undefined],
      )
      assert.equal(
        (await web('PUT', `/site/${id}`, { body: { Site: { OriginType: '1' } } })).status,
        400,
      )
    })

    test('answers 400 for what breaks a rule, at one past each limit, and changes nothing (ERROR-WEBACCEL-400, LIMIT-09)', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      const before = (await web('GET', `/site/${id}`)).text
      const cases: object[] = [
        { DefaultCacheTTL: 604_801 },
        { DefaultCacheTTL: -2 },
        { DefaultCacheTTL: 1.5 },
        { DefaultCacheTTL: '60' },
        { RequestProtocol: '3' },
        { RequestProtocol: 1 },
        { OriginType: '2' },
        { OriginProtocol: 'ftp' },
        { VarySupport: true },
        { NormalizeAE: '2' },
        { DocIndex: '1' },
        { BucketName: 'bucket' },
        { Origin: 'https://origin.example.jp' },
        { Origin: 'origin.example.jp/path' },
        { HostHeader: 'a b' },
        { Name: '' },
        { RequestProtocol: '' },
        { OriginType: '' },
        { Origin: '' },
        { HostHeader: '' },
        { ...BUCKET, SecretAccessKey: '' },
        { CORSRules: [{}] },
        { CORSRules: [{ AllowsAnyOrigin: true, AllowedOrigins: ['https://a.jp'] }] },
        { CORSRules: [{ AllowedOrigins: ['https://a.jp/path'] }] },
        { CORSRules: [{ AllowedOrigins: ['a.jp'] }] },
        {
          CORSRules: [{ AllowedOrigins: ['1', '2', '3', '4', '5'].map((n) => `https://a${n}.jp`) }],
        },
        { CORSRules: [{ AllowsAnyOrigin: true }, { AllowsAnyOrigin: true }] },
        { OnetimeURLSecrets: ['a', 'b', 'c'] },
        { OnetimeURLSecrets: 'a' },
        { ...BUCKET, OriginProtocol: 'http' },
        { ...BUCKET, Origin: 'o.example.jp' },
      ]
      for (const change of cases) {
        const answer = await web('PUT', `/site/${id}`, { body: { Site: change } })
        assert.equal(answer.status, 400, JSON.stringify(change))
        assert.equal(answer.body.error_code, 'bad_request')
        assert.match(answer.body.error_msg, /Site\./)
      }
      assert.equal((await web('GET', `/site/${id}`)).text, before)
      const most = {
        CORSRules: [{ AllowedOrigins: ['1', '2', '3', '4'].map((n) => `https://a${n}.jp`) }],
      }
      assert.equal((await web('PUT', `/site/${id}`, { body: { Site: most } })).status, 200)
    })

    test('answers 403 for another member’s site and 404 for none (ERROR-WEBACCEL-403, ERROR-WEBACCEL-404)', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      for (const [method, path, body] of [
        ['GET', '', undefined],
        ['PUT', '', { Site: { Name: 'x' } }],
        ['DELETE', '', undefined],
        ['PUT', '/status', { Site: { Status: 'enabled' } }],
        ['GET', '/certificate', undefined],
        ['GET', '/acl', undefined],
        ['POST', '/origin-guard-token', undefined],
        ['GET', '/log-upload-config', undefined],
      ] as const) {
        const foreign = await web(method, `/site/${id}${path}`, { token: 'other-cdn', body })
        assert.deepEqual(
          [foreign.status, foreign.body.error_code],
          [403, 'forbidden'],
          `${method} ${path}`,
        )
        const none = await web(method, `/site/900000000000${path}`, { body })
        assert.deepEqual(
          [none.status, none.body.error_code],
          [404, 'not_found'],
          `${method} ${path}`,
        )
      }
      assert.equal((await web('GET', '/site', { token: 'other-cdn' })).body.Total, 0)
    })

    test('enables, disables and deletes; a status that is set already is 400', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      const set = (Status: string) =>
        web('PUT', `/site/${id}/status`, { body: { Site: { Status } } })
      assert.equal((await set('disabled')).status, 400)
      assert.equal((await set('enabled')).body.Site.Status, 'enabled')
      assert.equal((await set('enabled')).status, 400)
      assert.equal((await set('paused')).status, 400)
      assert.equal((await web('DELETE', `/site/${id}`)).body.Site.ID, id)
      assert.equal((await web('GET', `/site/${id}`)).status, 404)
      assert.ok(await newSite(), 'the domain is free again')
    })
  })
}

describe('faults of the server', () => {
  test('are 500 in the failure body, and the cause stays in the log (ERROR-WEBACCEL-500)', async (t) => {
    const { web, newSite, database } = await openWeb(t)
    const id = await newSite()
    await database.write((tx) => tx.run(raw("UPDATE site SET settings = 'not JSON'")))
    const answer = await web('GET', `/site/${id}`)
    assert.deepEqual([answer.status, answer.body.error_code], [500, 'internal_server_error'])
    assert.doesNotMatch(answer.text, /JSON|SyntaxError|settings/)
  })

  if (sharedPostgres !== undefined) {
    const openShared = sharedPostgres
    test('are 503 while the database is away (ERROR-WEBACCEL-503)', async (t) => {
      const { web, database } = await openWeb(t, { engine: await openShared() })
      await database.close()
      const answer = await web('GET', '/site')
      assert.deepEqual([answer.status, answer.body.error_code], [503, 'service_unavailable'])
    })
  }
})

describe('the web accelerator’s paths', () => {
  test('are served under is1a only, and never indented', async (t) => {
    const { inject, web } = await openWeb(t)
    const elsewhere = await inject('GET', WEBACCEL.replace('is1a', 'is1b').concat('/site'))
    assert.equal(elsewhere.status, 404)
    assert.match(elsewhere.body.error_msg, /served under zone is1a only, not under is1b/)
    const nowhere = await inject('GET', WEBACCEL.replace('is1a', 'xx1a').concat('/site'))
    assert.match(nowhere.body.error_msg, /There is no zone xx1a here/)
    const headers = { 'x-service-api-beautify': '1' }
    for (const path of ['/site', '/site/900000000009']) {
      assert.ok(!(await web('GET', path, { headers })).text.includes('\n'))
    }
  })
})
