import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { describe, type TestContext, test } from 'node:test'
import { DAY_MS } from '../../kernel/units.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { openWeb } from '../../testing/webaccel.ts'

async function open(t: TestContext, engine: TestEngine) {
  const cloud = await openWeb(t, { engine })
  const id = await cloud.newSite()
  const path = `/site/${id}/auto-cert-update`
  return {
    ...cloud,
    id,
    path,
    enable: () => cloud.web('POST', path, { body: { Type: 'letsencrypt' } }),
    site: async () => (await cloud.web('GET', `/site/${id}`)).body.Site,
    certificates: async () => (await cloud.web('GET', `/site/${id}/certificate`)).body.Certificate,
    wait: (days: number) =>
      cloud.clock.advanceTo(new Date(cloud.clock.now().getTime() + days * DAY_MS)),
  }
}

for (const engine of engines) {
  describe(`automatic certificates on ${engine.name}`, () => {
    test('are issued for the domain of the site, and renewed 30 days before they end', async (t) => {
      const { enable, site, certificates, wait, web, id } = await open(t, engine)
      assert.equal((await enable()).status, 200)
      await wait(0)
      const { Current } = await certificates()
      assert.deepEqual(Current.DNSNames, ['www.example.jp'])
      const [leaf, issuer] = Current.CertificateChain.split(/(?<=-----END CERTIFICATE-----\n)/)
        .filter((block: string) => block.trim() !== '')
        .map((block: string) => new X509Certificate(block))
      assert.ok(leaf.checkIssued(issuer) && leaf.verify(issuer.publicKey))
      const shown = await site()
      assert.deepEqual([shown.HasCertificate, shown.CertType, shown.CertOpStatus], [true, '2', '0'])

      await wait(59)
      assert.equal((await certificates()).Current.ID, Current.ID)
      await wait(2)
      const renewed = await certificates()
      assert.notEqual(renewed.Current.ID, Current.ID)
      assert.equal(renewed.Old[0].ID, Current.ID)

      assert.equal((await web('DELETE', `/site/${id}`)).status, 200)
      await wait(100)
    })

    test('stay as they are when it is turned off, and are ordered once however often asked', async (t) => {
      const { enable, certificates, wait, web, path } = await open(t, engine)
      await enable()
      await wait(0)
      const { Current } = await certificates()
      await enable()
      await wait(1)
      assert.equal((await certificates()).Current.ID, Current.ID)
      assert.equal((await web('DELETE', path)).status, 200)
      assert.equal((await web('DELETE', path)).status, 200)
      await wait(80)
      assert.equal((await certificates()).Current.ID, Current.ID)
    })

    test('answer 400 to an unknown type, 403 to another member, 404 without a site', async (t) => {
      const { web, path } = await open(t, engine)
      const body = { Type: 'letsencrypt' }
      const status = async (at: string, options: object) => (await web('POST', at, options)).status
      assert.equal(await status(path, { body: { Type: 'x' } }), 400)
      assert.equal(await status(path, { body, token: 'other-cdn' }), 403)
      assert.equal(await status('/site/900000000000/auto-cert-update', { body }), 404)
      const foreign = await web('DELETE', path, { token: 'other-cdn' })
      assert.equal(foreign.status, 403)
    })
  })
}
