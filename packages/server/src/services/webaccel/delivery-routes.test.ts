import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newEdge } from '../../testing/edges.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'
import { retentionJob } from '../retention/public.ts'
import { agedHours } from './aged-hours.ts'

const ANSWER = {
  ...{ action: 'hit', status: 200, steps: [{ name: 'site', result: 'www.example.jp' }] },
  objects: [
    {
      ...{ status: 200, variant: { 'accept-encoding': 'gzip' }, bytes: 12, tier: 'memory' },
      ...{ storedAt: '2026-04-01T00:00:00Z', freshUntil: '2026-04-01T00:01:00Z' },
    },
  ],
}

for (const engine of engines) {
  describe(`what edges do with a site, on ${engine.name}`, () => {
    test('a probe is answered by every edge, and one that is silent is named', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite } = cloud
      const siteId = await newSite()
      const edge = newEdge(cloud)
      const { version } = (await edge.changes(null)).body
      await newEdge(cloud, 'silent').changes(null)
      const URL = 'https://www.example.jp/a?b'
      const asked = web('POST', `/site/${siteId}/probe`, {
        body: {
          Probe: {
            URL,
            Headers: [{ Name: 'Accept-Encoding', Value: 'gzip' }],
            Address: '192.0.2.1',
          },
        },
      })
      let probes: { version: number }[] = []
      let isAnswered = false
      asked.finally(() => {
        isAnswered = true
      })
      while (probes.length === 0 && !isAnswered) {
        probes = (await edge.changes(version)).body.probes
      }
      assert.deepEqual(probes, [
        {
          ...{ version: probes[0]?.version, siteId, method: 'GET', url: URL },
          ...{ headers: { 'accept-encoding': 'gzip' }, address: '192.0.2.1' },
        },
      ])
      await edge.call('/answers', { probeVersion: probes[0]?.version, answer: ANSWER })
      const { Probe } = (await asked).body
      assert.deepEqual(Probe.Edges[0], {
        ...{ ID: 'edge-1', Name: 'edge-1', Engine: 'embedded', Action: 'hit', Status: 200 },
        Steps: [{ Name: 'site', Result: 'www.example.jp' }],
        Objects: [
          {
            ...{ Status: 200, Variant: { 'accept-encoding': 'gzip' }, Bytes: 12, Tier: 'memory' },
            StoredAt: '2026-04-01T09:00:00+09:00',
            FreshUntil: '2026-04-01T09:01:00+09:00',
          },
        ],
      })
      assert.deepEqual([Probe.Edges[1].ID, Probe.Edges[1].Action], ['silent', null])
    })

    test('a probe of another host, method, header or address is refused', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/probe`
      const URL = 'https://www.example.jp/'
      for (const Probe of [
        { URL: 'https://other.example.jp/' },
        { URL: 'ftp://www.example.jp/' },
        { URL, Method: 'get' },
        { URL, Headers: [{ Name: 'a b', Value: 'c' }] },
        { URL, Headers: [{ Name: 'a', Value: 'b\r\nc: d' }] },
        { URL, Address: 'here' },
      ]) {
        const answer = await web('POST', path, { body: { Probe } })
        assert.equal(answer.status, 400, JSON.stringify(Probe))
      }
      const none = await web('POST', path, { body: { Probe: { URL } } })
      assert.deepEqual(none.body.Probe, { URL, Edges: [] })
      const other = await web('POST', path, { token: 'other-cdn', body: { Probe: { URL } } })
      assert.equal(other.status, 403)
    })

    test('traffic is shown by hour, and asking for it costs no call', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite, operator } = cloud
      const siteId = await newSite()
      const edge = newEdge(cloud)
      await edge.changes(null)
      const used = { siteId, accessCount: 3, hitCount: 2, bytesSent: 30, cacheMissBytesSent: 10 }
      // The clock stands at 2026-04-01T00:00 in Japan.
      const hours = ['2026-03-30T14:00:00Z', '2026-03-31T14:00:00Z', '2026-03-31T15:00:00Z']
      await edge.report(
        1,
        hours.map((hour) => ({ ...used, hour })),
      )
      await edge.report(2, [{ ...used, hour: hours[2] }])
      await operator('POST', '/world', {
        body: { version: 1, settings: { webaccel_calls_per_hour: 1 } },
      })
      const { Traffic } = (await web('GET', `/site/${siteId}/traffic`)).body
      const counts = { AccessCount: 3, HitCount: 2, BytesSent: 30, CacheMissBytesSent: 10 }
      assert.deepEqual([Traffic.Edges, Traffic.Hours.length], [1, 24])
      assert.equal(Traffic.Hours[0].Hour, '2026-03-31T01:00:00+09:00')
      assert.equal(Traffic.Hours[0].AccessCount, 0)
      assert.deepEqual(Traffic.Hours.slice(-2), [
        { Hour: '2026-03-31T23:00:00+09:00', ...counts },
        {
          Hour: '2026-04-01T00:00:00+09:00',
          ...{ AccessCount: 6, HitCount: 4, BytesSent: 60, CacheMissBytesSent: 20 },
        },
      ])
      const all = await web('GET', `/site/${siteId}/traffic?Hours=744`)
      const { Hours } = all.body.Traffic
      const busy = Hours.filter(({ AccessCount }: { AccessCount: number }) => AccessCount > 0)
      assert.deepEqual([Hours.length, busy.length], [744, 3])
      assert.equal((await web('GET', `/site/${siteId}/traffic?Hours=745`)).status, 400)
    })

    test('traffic goes back as far as hours are kept, and older ones are deleted', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite, operator, database } = cloud
      const siteId = await newSite()
      const edge = newEdge(cloud)
      await edge.changes(null)
      const used = { siteId, accessCount: 3, hitCount: 2, bytesSent: 30, cacheMissBytesSent: 10 }
      // The clock stands at 2026-03-31T15:00Z.
      const hours = ['2026-03-29T14:00:00Z', '2026-03-29T15:00:00Z', '2026-03-29T16:00:00Z']
      await edge.report(
        1,
        hours.map((hour) => ({ ...used, hour })),
      )
      const shown = async () => {
        const { Hours } = (await web('GET', `/site/${siteId}/traffic?Hours=744`)).body.Traffic
        return [Hours.length, Hours[0].AccessCount]
      }
      assert.deepEqual(await shown(), [744, 0])
      await operator('POST', '/world', { body: { version: 1, settings: { site_hour_days: 2 } } })
      // At once, although nothing is deleted yet.
      assert.deepEqual(await shown(), [48, 3])
      const job = retentionJob([agedHours])
      assert.equal(await job.run(database, TEST_NOW), '1 rows deleted')
      assert.equal(await job.run(database, TEST_NOW), '0 rows deleted')
      assert.deepEqual(await shown(), [48, 3])
    })
  })
}
