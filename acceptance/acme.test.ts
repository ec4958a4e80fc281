/** Certificates that are ordered by ACME, of another make's server: for the API and for sites at the edge. */
import assert from 'node:assert/strict'
import { Agent } from 'node:https'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { certificateFor, edgePorts, newSite, startOrigin, WEBACCEL } from './edge-cloud.ts'
import { engines } from './engines.ts'
import { hasPebble, type Pebble, startPebble } from './pebble.ts'
import { freePort } from './ports.ts'
import { type ServerProcess, start, temporaryFolder } from './server.ts'
import { waitFor } from './wait.ts'

const NAME = 'cloud.example.jp'
const ISSUER = /^Pebble Intermediate/

for (const engine of hasPebble ? engines : []) {
  describe(`ACME on ${engine.name}`, () => {
    const cleanups: (() => void)[] = []
    const t = { after: (work: () => void) => void cleanups.push(work) }
    const folder = temporaryFolder(t)
    let pebble: Pebble
    let server: ServerProcess
    let stderr = ''

    before(async () => {
      const httpPort = await freePort()
      pebble = await startPebble(join(folder, 'pebble'), httpPort)
      const edge = ['--edge-port', String(httpPort), '--edge-tls-port', '0']
      const flags = [...(await engine.flags()), ...pebble.flags, ...edge, '--acme-domain', NAME]
      const started = await start(join(folder, 'data'), [...flags, '--acme-http-port', '0'])
      // The CA that it was started with is of no use soon.
      const agent = new Agent({ rejectUnauthorized: false })
      const ask: typeof started.ask = (method, path, options) =>
        started.ask(method, path, { ...options, agent })
      server = { ...started, ask }
      server.process.stderr?.on('data', (chunk) => {
        stderr += chunk
      })
    })
    after(async () => {
      await server.stop()
      await pebble.stop()
      for (const cleanup of cleanups) cleanup()
    })

    const shown = () => certificateFor(Number(new URL(server.origin).port), NAME)
    const isPebbles = async () => ISSUER.test(String((await shown()).issuer.CN))

    test('the API serves the local CA first, then one that was issued, and renews it', async () => {
      await waitFor('a certificate', isPebbles)
      const first = await shown()
      assert.equal(first.subjectaltname, `DNS:${NAME}`)
      await waitFor('the next', async () => (await shown()).serialNumber !== first.serialNumber)
      assert.ok(await isPebbles())
    })

    test('a site that asks for one gets it at the edge, also when another leads elsewhere', async () => {
      const origin = await startOrigin(t)
      await pebble.lead('away.example.jp', '127.0.0.9')
      for (const domain of ['away.example.jp', 'www.acme.example.jp']) {
        const id = await newSite(server, domain, origin)
        const body = { Type: 'letsencrypt' }
        const asked = await server.ask('POST', `${WEBACCEL}/site/${id}/auto-cert-update`, { body })
        assert.equal(asked.status, 200)
      }
      const { tlsPort } = edgePorts(server)
      // The edge closes connections for a site that it does not know yet.
      const issuerOf = (name: string) =>
        certificateFor(tlsPort, name).then(
          ({ issuer }) => issuer.CN,
          () => undefined,
        )
      await waitFor('the certificate', async () =>
        ISSUER.test(String(await issuerOf('www.acme.example.jp'))),
      )
      await waitFor('the failure', () => /, 1 not: away\.example\.jp: /.test(stderr))
      assert.match(String(await issuerOf('away.example.jp')), /^Kumoi local CA/)
    })

    test('the old one is served while the directory does not answer', async () => {
      const before = stderr.length
      await pebble.stop()
      // Refused, or cut off in the middle of an order.
      await waitFor('a failure', () => stderr.slice(before).includes('"job":"certificates"'))
      assert.ok(await isPebbles())
    })
  })
}
