import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseId } from '../../kernel/ids.ts'
import { engines } from '../../testing/engines.ts'
import { BUCKET, openWeb } from '../../testing/webaccel.ts'
import { UsageStore } from './usage-store.ts'

for (const engine of engines) {
  describe(`GET /monthlyusage on ${engine.name}`, () => {
    test('sums the counters of the month, with ratios and price', async (t) => {
      const { web, newSite, database } = await openWeb(t, { engine })
      const id = parseId<'site'>(await newSite())
      const quiet = await newSite({ Domain: 'quiet.example.jp' })
      assert.ok(id)
      const gib = 1024 ** 3
      await database.write(async (tx) => {
        const usage = new UsageStore(tx)
        await usage.add(id, '20260401', {
          accessCount: 10,
          bytesSent: 2 * gib,
          cacheMissBytesSent: gib / 2,
        })
        await usage.add(id, '20260401', {
          accessCount: 5,
          bytesSent: gib,
          cacheMissBytesSent: gib / 2,
        })
        await usage.add(id, '20260331', { accessCount: 1, bytesSent: gib, cacheMissBytesSent: gib })
      })
      const answer = await web('GET', '/monthlyusage')
      const { Year, Month, Success, MonthlyUsages } = answer.body
      assert.deepEqual([Year, Month, Success], [2026, 4, true])
      assert.deepEqual(MonthlyUsages[0], {
        SiteID: id,
        Domain: 'www.example.jp',
        ASCIIDomain: 'www.example.jp',
        Subdomain: MonthlyUsages[0].Subdomain,
        AccessCount: 15,
        BytesSent: 3 * gib,
        CacheMissBytesSent: gib,
        CacheHitRatio: 66.67,
        BytesCacheHitRatio: 66.67,
        Price: 15,
      })
      assert.deepEqual(
        [MonthlyUsages[1].SiteID, MonthlyUsages[1].Price, MonthlyUsages[1].CacheHitRatio],
        [quiet, 0, 0],
      )
      const march = (await web('GET', '/monthlyusage?target=202603')).body
      assert.deepEqual([march.Month, march.MonthlyUsages[0].AccessCount], [3, 1])
      const { Site } = (await web('GET', `/site/${id}`)).body
      assert.equal(Site.GibSentInLastWeek, 4)
    })

    test('answers 400 for a target that is no month', async (t) => {
      const { web } = await openWeb(t, { engine })
      for (const target of [
        '2026',
        '202613',
        '202600',
        '2026-04',
        'x',
        '000001',
        '20260401',
        '[1]',
      ]) {
        assert.equal((await web('GET', `/monthlyusage?target=${target}`)).status, 400, target)
      }
    })
  })

  describe(`sites of a world on ${engine.name}`, () => {
    const world = {
      version: 1,
      sites: [
        {
          account: 'acme',
          Site: {
            ID: '900000001001',
            Name: 'www',
            DomainType: 'own_domain',
            Domain: 'world.example.jp',
            OriginType: '0',
            OriginProtocol: 'https',
            Origin: 'origin.example.jp',
            HostHeader: 'www.example.jp',
            Status: 'enabled',
          },
        },
      ],
      site_usage: [
        {
          site: '900000001001',
          month: '202604',
          AccessCount: 1000,
          BytesSent: 1000000,
          CacheMissBytesSent: 100000,
        },
      ],
    }

    test('are made once, never overwritten unless asked, and exported', async (t) => {
      const { web, operator } = await openWeb(t, { engine })
      const apply = async (query = '') =>
        (await operator('POST', `/world${query}`, { body: world })).body.changes
      assert.deepEqual((await apply()).sites, { created: 1, updated: 0, unchanged: 0 })
      const { Site } = (await web('GET', '/site/900000001001')).body
      assert.deepEqual(
        [Site.Status, Site.Domain, Site.GibSentInLastWeek],
        ['enabled', 'world.example.jp', 0],
      )
      assert.equal(
        (await web('GET', '/monthlyusage?target=202604')).body.MonthlyUsages[0].CacheHitRatio,
        90,
      )
      await web('PUT', '/site/900000001001', { body: { Site: { Name: 'changed' } } })
      const again = await apply()
      assert.deepEqual([again.sites.unchanged, again.site_usage.unchanged], [1, 1])
      assert.equal((await web('GET', '/site/900000001001')).body.Site.Name, 'changed')
      assert.deepEqual((await apply('?mode=replace')).sites, {
        created: 0,
        updated: 1,
        unchanged: 0,
      })
      assert.equal((await web('GET', '/site/900000001001')).body.Site.Name, 'www')
      const exported = (await operator('GET', '/world')).body
      assert.equal(exported.sites[0].Site.ID, '900000001001')
      assert.equal((await operator('POST', '/world', { body: exported })).status, 200)
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await operator('POST', '/world', { body: exported })).status, 200)
      assert.deepEqual(
        (await web('GET', '/site/900000001001')).body.Site.Domain,
        'world.example.jp',
      )
    })

    test('leave with their secrets sealed, and come back with them', async (t) => {
      const { web, newSite, operator } = await openWeb(t, { engine })
      const id = await newSite({ ...BUCKET, Origin: undefined, OnetimeURLSecrets: ['one-time'] })
      const exported = await operator('GET', '/world')
      assert.doesNotMatch(exported.text, /one-time|storage-secret/)
      await operator('POST', '/reset', { body: { to: 'empty' } })
      assert.equal((await operator('POST', '/world', { body: exported.body })).status, 200)
      const { Site } = (await web('GET', `/site/${id}`)).body
      assert.deepEqual([Site.BucketName, Site.OnetimeURLSecrets], ['bucket', ['one-time']])
      const [entry] = exported.body.sites
      const foreign = {
        ...entry,
        Site: { ...entry.Site, ID: '900000005555', Domain: 'f.example.jp' },
      }
      const refused = await operator('POST', '/world', { body: { version: 1, sites: [foreign] } })
      assert.match(refused.body.error_msg, /sealed under another key-encryption key/)
      const usage = [
        { site: id, month: '202604', AccessCount: 1, BytesSent: 1, CacheMissBytesSent: 2 },
      ]
      const wrong = await operator('POST', '/world', { body: { version: 1, site_usage: usage } })
      assert.match(wrong.body.error_msg, /CacheMissBytesSent may be at most BytesSent/)
    })

    test('are refused with their line when they name nobody or break a rule', async (t) => {
      const { operator } = await openWeb(t, { engine })
      const [entry] = world.sites
      const refused = async (body: unknown) =>
        (await operator('POST', '/world', { body })).body.error_msg
      assert.match(
        await refused({ version: 1, sites: [{ ...entry, account: 'nobody' }] }),
        /sites\[0\]\.account names no account: nobody/,
      )
      const bad = { ...entry, Site: { ...entry?.Site, Domain: 'a_b.jp' } }
      assert.match(
        await refused({ version: 1, sites: [bad] }),
        /sites\[0\]\.Site cannot be used: Site\.Domain "a_b\.jp" is not a valid domain name/,
      )
      assert.match(
        await refused({ version: 1, site_usage: world.site_usage }),
        /site_usage\[0\]\.site names no site/,
      )
    })
  })
}
