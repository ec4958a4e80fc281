/** The web accelerator as curl sees it, by either way of authentication. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { describe, test } from 'node:test'
import { engines } from './engines.ts'
import { start, temporaryFolder } from './server.ts'

for (const engine of engines) {
  describe(`curl against the web accelerator on ${engine.name}`, () => {
    test('is let in by --basic and by --digest, and a replayed Digest header is refused', async (t) => {
      const data = temporaryFolder(t)
      const server = await start(data, await engine.flags())
      t.after(() => server.stop())
      const url = `${server.origin}/cloud/zone/is1a/api/webaccel/1.0/site`
      const curl = (...args: string[]) =>
        execFileSync('curl', ['-sS', '--cacert', `${data}/tls/ca.pem`, ...args, url], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'pipe'],
        })
      const key = 'demo-token:demo-secret'
      for (const way of ['--basic', '--digest', '--anyauth']) {
        assert.equal(JSON.parse(curl(way, '-u', key)).CountLimit, 20, way)
      }
      assert.equal(
        JSON.parse(curl('--digest', '-u', 'demo-token:wrong')).error_code,
        'unauthorized',
      )
      const trace = curl('--digest', '-u', key, '-v', '--stderr', '-')
      const header = /^> (Authorization: Digest .*?)\r?$/m.exec(trace)?.[1]
      assert.ok(header)
      const replayed = JSON.parse(curl('-H', header))
      assert.match(replayed.error_msg, /has been used before/)
    })
  })
}
