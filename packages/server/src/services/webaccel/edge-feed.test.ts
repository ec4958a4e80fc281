import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from '../../storage/sql.ts'
import { makeCertificate } from '../../testing/certificates.ts'
import { EDGE_STATUS, newEdge } from '../../testing/edges.ts'
import { engines } from '../../testing/engines.ts'
import { BUCKET, openWeb } from '../../testing/webaccel.ts'
import { EdgeStore } from './edge-store.ts'

for (const engine of engines) {
  describe(`the feed of edges on ${engine.name}`, () => {
    test('gives a new edge all sites, with their secrets in plain', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite } = cloud
      const id = await newSite({
        ...BUCKET,
        Origin: null,
        OnetimeURLSecrets: ['one', 'two'],
        DocIndex: '1',
      })
      const { certificate, key } = makeCertificate()
      await web('POST', `/site/${id}/certificate`, {
        body: { Certificate: { CertificateChain: certificate, Key: key } },
      })
      await web('PUT', `/site/${id}/log-upload-config`, {
        body: {
          SiteLogUploadConfig: {
            ...{ Bucket: 'logs', Endpoint: 'https://s3.example.jp', Region: 'r' },
            ...{ AccessKeyID: 'k', SecretAccessKey: 'log-secret' },
          },
        },
      })
      const { status, body } = await newEdge(cloud).changes(null)
      assert.equal(status, 200)
      assert.equal(body.isComplete, true)
      const [site] = body.sites
      assert.equal(body.sites.length, 1)
      assert.equal(site.hosts[0], 'www.example.jp')
      assert.equal(site.hosts.length, 2)
      assert.deepEqual(site.onetimeSecrets, ['one', 'two'])
      assert.deepEqual(site.origin, {
        ...{ type: 'storage', docIndex: true, bucket: 'bucket', endpoint: 's3.example.jp' },
        ...{ region: 'jp-north-1', accessKeyId: 'key-id', secretAccessKey: 'storage-secret' },
      })
      assert.equal(site.certificate.key, key)
      assert.equal(site.logUpload.secretAccessKey, 'log-secret')
    })

    test('gives what has changed since a version, once for every kind of change', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { web, newSite } = cloud
      const edge = newEdge(cloud)
      let { version } = (await edge.changes(null)).body
      const next = async () => {
        const { body } = await edge.changes(version)
        assert.equal(body.isComplete, false)
        version = body.version
        return body
      }
      assert.deepEqual((await next()).sites, [])
      const id = await newSite()
      await newSite({ Domain: 'other.example.jp' })
      assert.equal((await next()).sites.length, 2)
      const { certificate, key } = makeCertificate()
      const Certificate = { CertificateChain: certificate, Key: key }
      const changes: [string, string, object?][] = [
        ['PUT', '', { Site: { DefaultCacheTTL: 60 } }],
        ['PUT', '/status', { Site: { Status: 'enabled' } }],
        ['PUT', '/acl', { ACL: 'deny all' }],
        ['DELETE', '/acl'],
        ['POST', '/origin-guard-token'],
        ['POST', '/certificate', { Certificate }],
        ['PUT', '/certificate', { Certificate }],
        ['DELETE', '/certificate'],
      ]
      for (const [method, path, body] of changes) {
        const answer = await web(method, `/site/${id}${path}`, body && { body })
        assert.equal(answer.status, 200, answer.text)
        const { sites, purges } = await next()
        assert.deepEqual([sites.length, sites[0]?.id, purges], [1, id, []], `${method} ${path}`)
        assert.deepEqual((await next()).sites, [])
      }
      await web('DELETE', `/site/${id}`)
      const { removedSiteIds, sites } = await next()
      assert.deepEqual([removedSiteIds, sites], [[id], []])
    })

    test('gives everything again after a reset, a snapshot or a version of another database', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { operator, newSite } = cloud
      await newSite()
      const edge = newEdge(cloud)
      const { version } = (await edge.changes(null)).body
      assert.equal((await edge.changes(version + 1)).body.isComplete, true)
      assert.equal((await edge.changes(version)).body.isComplete, false)
      await operator('POST', '/snapshots', { body: { name: 'before' } })
      await operator('POST', '/reset', { body: { to: 'empty' } })
      const emptied = (await edge.changes(version)).body
      assert.deepEqual([emptied.isComplete, emptied.sites], [true, []])
      assert.equal((await edge.changes(emptied.version)).body.isComplete, false)
      await operator('POST', '/reset', { body: { to: 'before' } })
      const back = (await edge.changes(emptied.version)).body
      assert.deepEqual([back.isComplete, back.sites.length], [true, 1])
      assert.equal((await newEdge(cloud, 'edge-2').changes(back.version)).body.isComplete, true)
    })

    test('takes the edge token and no other, and refuses what is malformed', async (t) => {
      const cloud = await openWeb(t, { engine })
      const edge = newEdge(cloud)
      const body = { status: EDGE_STATUS, since: null }
      for (const token of ['', 'test-operator-token', 'test-edge-token2']) {
        assert.equal((await edge.call('/changes', body, token)).status, 401)
      }
      assert.equal((await newEdge(cloud, 'a%20b').changes(null)).status, 404)
      const late = { ...EDGE_STATUS, startedAt: '2026-99-01T00:00:00Z' }
      assert.equal((await edge.call('/changes', { status: late, since: null })).status, 400)
      assert.equal((await edge.changes(-1)).status, 400)
      assert.equal((await edge.changes(null)).status, 200)
    })

    test('lists edges for the operator, who may forget one', async (t) => {
      const cloud = await openWeb(t, { engine })
      const { operator } = cloud
      const edge = newEdge(cloud)
      const { version } = (await edge.changes(null)).body
      await edge.changes(version)
      const { edges } = (await operator('GET', '/edges')).body
      const { last_seen, started_at, ...shown } = edges[0]
      assert.deepEqual(shown, {
        ...{ id: 'edge-1', name: 'edge-1', engine: 'embedded', software_version: '1.0.0' },
        ...{ is_remote: true, is_live: true, version, settings_age_seconds: 0 },
        ...{ cache_bytes: 10, cache_objects: 2, hits: 3, misses: 4 },
      })
      assert.ok(last_seen > started_at)
      assert.equal((await operator('DELETE', '/edges/edge-1')).status, 200)
      assert.equal((await operator('DELETE', '/edges/edge-1')).status, 404)
      await edge.changes(null)
      assert.equal((await edge.call('/leave')).status, 200)
      assert.deepEqual((await operator('GET', '/edges')).body.edges, [])
    })

    test('answers what an authority asks an edge, where certificates are ordered', async (t) => {
      const token = 'evaGxfADs6pSRb2LAv9IZf17'
      const acme = ['--acme-directory', 'https://localhost/directory', '--acme-http-port', '0']
      const cloud = await openWeb(t, { engine, args: acme })
      const edge = newEdge(cloud)
      const ask = async (challenge: string) => edge.call('/challenges', { challenge })
      assert.deepEqual((await ask(token)).body.answer, null)
      await cloud.database.write((tx) =>
        tx.run(sql`INSERT INTO acme_challenge (token, answer, expires_at)
                   VALUES (${token}, ${`${token}.thumbprint`}, ${new Date()})`),
      )
      assert.deepEqual((await ask(token)).body.answer, `${token}.thumbprint`)
      assert.equal((await ask('../short')).status, 400)
      assert.equal((await edge.call('/challenges', { challenge: token }, 'wrong')).status, 401)
      const without = newEdge(await openWeb(t, { engine }))
      assert.equal((await without.call('/challenges', { challenge: token })).body.answer, null)
    })

    test('forgets edges of processes that have crashed when another one comes', async (t) => {
      const cloud = await openWeb(t, { engine })
      const status = (id: string) => ({ ...EDGE_STATUS, id, name: id })
      await cloud.database.write(async (tx) => {
        const seenAt = new Date(Date.now() - 61_000)
        for (const isRemote of [true, false]) {
          const id = isRemote ? 'away' : 'crashed'
          await new EdgeStore(tx).put({ status: status(id), isRemote, seenAt, appliedVersion: 0 })
        }
      })
      await newEdge(cloud, 'next').changes(null)
      const { edges } = (await cloud.operator('GET', '/edges')).body
      assert.deepEqual(
        edges.map(({ id, is_live }: { id: string; is_live: boolean }) => [id, is_live]),
        [
          ['away', false],
          ['next', true],
        ],
      )
    })
  })
}
