import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from '../../storage/database.ts'
import { raw } from '../../storage/sql.ts'
import { tableNames } from '../../storage/truncate.ts'
import { engines } from '../../testing/engines.ts'
import { profileArgs } from '../../testing/profiles.ts'
import { openWeb } from '../../testing/webaccel.ts'

/** The trail of calls and the job that chains it among them. */
const WRITTEN_ALWAYS = ['call_rate', 'digest_use', 'edge_event', 'audit', 'audit_chain', 'job']

/** Rows by table, without those that every call of this group writes. */
function rowCounts(database: Database): Promise<Record<string, number>> {
  return database.read(async (tx) => {
    const counts: Record<string, number> = {}
    for (const name of await tableNames(tx)) {
      if (WRITTEN_ALWAYS.includes(name)) continue
      const row = await tx.first<{ total: number }>(raw(`SELECT count(*) AS total FROM ${name}`))
      counts[name] = row?.total ?? 0
    }
    return counts
  })
}

for (const engine of engines) {
  describe(`what a site has besides, on ${engine.name}`, () => {
    test('keeps an access list that is parsed line by line', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/acl`
      assert.deepEqual((await web('GET', path)).body, { ACL: '', is_ok: true })
      const ACL = 'deny 192.0.2.5/25\n\nallow 2001:db8::/32\nallow 198.51.100.7\ndeny all'
      assert.deepEqual((await web('PUT', path, { body: { ACL } })).body, { ACL, is_ok: true })
      for (const bad of [
        'deny',
        'permit all',
        'deny 192.0.2.256',
        'deny 192.0.2.0/33',
        'deny ::/129',
        'allow all all',
        'deny 1.2.3.4/',
      ]) {
        const answer = await web('PUT', path, { body: { ACL: `allow all\n${bad}` } })
        assert.equal(answer.status, 400, bad)
        assert.match(answer.body.error_msg, /ACL line 2/)
      }
      assert.equal((await web('GET', path)).body.ACL, ACL)
      assert.deepEqual((await web('DELETE', path)).body, { is_ok: true })
      assert.equal((await web('GET', path)).body.ACL, '')
    })

    test('rotates guard tokens: the next one is promoted', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const id = await newSite()
      const call = async (method: string, next = '') =>
        (await web(method, `/site/${id}/origin-guard-token${next}`)).body
      const first = await call('POST')
      assert.ok(Buffer.from(first.OriginGuardToken, 'base64url').length >= 20)
      assert.equal(first.NextOriginGuardToken, '')
      const announced = await call('POST', '/next')
      assert.equal(announced.OriginGuardToken, first.OriginGuardToken)
      const promoted = await call('POST')
      assert.equal(promoted.OriginGuardToken, announced.NextOriginGuardToken)
      assert.equal(promoted.NextOriginGuardToken, '')
      await call('POST', '/next')
      assert.equal((await call('DELETE', '/next')).NextOriginGuardToken, '')
      const { Site } = (await web('GET', `/site/${id}`)).body
      assert.equal(Site.OriginGuardToken, promoted.OriginGuardToken)
      assert.equal((await call('DELETE')).OriginGuardToken, '')
    })

    test('keeps where logs go, and never returns the secret', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/log-upload-config`
      assert.equal((await web('GET', path)).body.SiteLogUploadConfig.Bucket, '')
      const config = {
        Bucket: 'logs',
        Endpoint: 'https://s3.example.jp',
        Region: 'r',
        AccessKeyID: 'id',
        Status: 'enabled',
      }
      assert.equal((await web('PUT', path, { body: { SiteLogUploadConfig: config } })).status, 400)
      const set = await web('PUT', path, {
        body: { SiteLogUploadConfig: { ...config, SecretAccessKey: 'log-secret' } },
      })
      assert.deepEqual(set.body.SiteLogUploadConfig, config)
      const kept = await web('PUT', path, {
        body: { SiteLogUploadConfig: { ...config, Bucket: 'other' } },
      })
      assert.equal(kept.body.SiteLogUploadConfig.Bucket, 'other')
      assert.ok(!kept.text.includes('log-secret'))
      await web('DELETE', path)
      assert.equal((await web('GET', path)).body.SiteLogUploadConfig.Bucket, '')
    })

    test('shows the secret of the log upload where the profile says so: as sent, later masked', async (t) => {
      const args = profileArgs(t, { webaccel: { showsUploadSecret: true } })
      const { web, newSite } = await openWeb(t, { engine, args })
      const path = `/site/${await newSite()}/log-upload-config`
      const shown = (answer: { body: { SiteLogUploadConfig: object } }) =>
        Object(answer.body.SiteLogUploadConfig).SecretAccessKey
      assert.equal(shown(await web('GET', path)), '')
      const config = {
        Bucket: 'b',
        Endpoint: 'https://s3.example.jp',
        Region: 'r',
        AccessKeyID: 'i',
      }
      const set = (SecretAccessKey?: string) =>
        web('PUT', path, { body: { SiteLogUploadConfig: { ...config, SecretAccessKey } } })
      assert.equal((await set('********')).status, 400, 'none is stored yet')
      assert.equal(shown(await set('log-secret')), 'log-secret')
      const read = await web('GET', path)
      assert.equal(shown(read), '********')
      assert.ok(!read.text.includes('log-secret'))
      assert.equal(shown(await set()), '********')
    })

    test('sends logs to no address but an https one of a name, outside of our own network', async (t) => {
      const { web, newSite } = await openWeb(t, { engine })
      const path = `/site/${await newSite()}/log-upload-config`
      const set = (Endpoint: string) => {
        const keys = { AccessKeyID: 'id', SecretAccessKey: 'secret' }
        const SiteLogUploadConfig = { Bucket: 'b', Endpoint, Region: 'r', ...keys }
        return web('PUT', path, { body: { SiteLogUploadConfig } })
      }
      for (const Endpoint of [
        ...['s3.example.jp', 'http://s3.example.jp', 'ftp://s3.example.jp', 'https://', ''],
        ...['https://s3.example.jp/path', 'https://s3.example.jp?x', 'https://u:p@s3.example.jp'],
        ...['https://127.0.0.1', 'https://2130706433', 'https://0x7f.1', 'https://[::1]:9000'],
        ...['https://10.1.2.3', 'https://localhost', 'https://db.localhost', 'https://minio'],
        ...['https://s3.internal', 'https://203.0.113.9', `https://${'a'.repeat(250)}.jp`],
      ]) {
        const answer = await set(Endpoint)
        assert.equal(answer.status, 400, Endpoint)
        assert.match(answer.body.error_msg, /SiteLogUploadConfig\.Endpoint/)
      }
      assert.equal((await web('GET', path)).body.SiteLogUploadConfig.Endpoint, '')
      for (const Endpoint of ['https://s3.example.jp', 'https://s3.example.jp:9000/']) {
        assert.equal((await set(Endpoint)).body.SiteLogUploadConfig.Endpoint, Endpoint)
      }
    })

    test('deletes caches of own sites, at most 100 addresses a call, and keeps no more of it than edges have to know', async (t) => {
      const { web, newSite, database } = await openWeb(t, { engine })
      await newSite()
      const before = await rowCounts(database)
      const URL = [
        ...['https://www.example.jp/a.png', 'https://elsewhere.example.jp/', 'nonsense'],
        'ftp://www.example.jp/a.png',
      ]
      const answer = await web('POST', '/deletecache', { body: { URL } })
      assert.deepEqual(
        answer.body.Results.map((result: { Status: number }) => result.Status),
        [200, 404, 404, 404],
      )
      const many = (count: number) => ({
        URL: Array.from({ length: count }, (_, n) => `https://www.example.jp/${n}`),
      })
      assert.equal((await web('POST', '/deletecache', { body: many(100) })).status, 200)
      assert.equal((await web('POST', '/deletecache', { body: many(101) })).status, 400)
      assert.equal((await web('POST', '/deletecache', { body: { URL: [] } })).status, 400)
      assert.deepEqual(
        (await web('POST', '/deleteallcache', { body: { Site: { Domain: 'www.example.jp' } } }))
          .body,
        { is_ok: true },
      )
      assert.equal(
        (await web('POST', '/deleteallcache', { body: { Site: { Domain: 'x.example.jp' } } }))
          .status,
        404,
      )
      assert.deepEqual(await rowCounts(database), before)
    })
  })
}
