/** A new key-encryption key, from the key file to the day on which the old one is gone (docs/operating.md). */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { engines } from './engines.ts'
import { KUMOI, run, type ServerProcess, start, temporaryFolder } from './server.ts'

const SITE = '/cloud/zone/is1a/api/webaccel/1.0/site'

/** All there are but cards of their own and the authority of sites, which are in tables of the same form. */
const KINDS = [
  'encryption_check.sealed',
  'api_key.verifier',
  'sim_card_range.pass_code',
  'sms_message.sealed',
  'network_element.secret',
  'iot_adapter.token_sealed',
  'iot_adapter.secret_sealed',
  'iot_adapter.url_sealed',
  'site.settings',
  'site.log_upload',
  'site_certificate.sealed_key',
]

const newKey = () => randomBytes(32).toString('base64')

async function kumoi(data: string, server: ServerProcess, ...args: string[]) {
  const { stdout } = await promisify(execFile)(process.execPath, [KUMOI, ...args], {
    env: {
      ...process.env,
      KUMOI_URL: `${server.origin}/cloud`,
      KUMOI_CA_FILE: join(data, 'tls', 'ca.pem'),
      KUMOI_OPERATOR_TOKEN: operatorToken(data),
    },
  })
  return stdout
}

const operatorToken = (data: string) => readFileSync(join(data, 'operator.token'), 'utf8').trim()

/** What only sealed values can give: the secrets of sites. All texts of messages are opened, too. */
async function secretsOf(data: string, server: ServerProcess) {
  const { body } = await server.ask('GET', SITE)
  const sites: unknown[] = []
  for (const { ID } of body.Sites) {
    const read = await server.ask('GET', `${SITE}/${ID}`)
    assert.equal(read.status, 200)
    sites.push([ID, read.body.Site.OnetimeURLSecrets])
  }
  const sent = await server.operator('GET', '/outbox/sms', operatorToken(data))
  assert.equal(sent.status, 200)
  return sites
}

/** One of each kind that the demo world has none of. */
async function addMissingKinds(data: string, server: ServerProcess) {
  const element = {
    address: '192.0.2.1',
    secret: 'ElementSecret1',
    carriers: { 44010: 'carrier-a' },
  }
  const path = '/network-elements/pgw'
  const put = await server.operator('PUT', path, operatorToken(data), element)
  assert.equal(put.status, 200, JSON.stringify(put.body))
  const { ID } = (await server.ask('GET', SITE)).body.Sites[0]
  const place = { Bucket: 'b', Endpoint: 'https://s3.example.jp', Region: 'r', AccessKeyID: 'id' }
  const upload = await server.ask('PUT', `${SITE}/${ID}/log-upload-config`, {
    body: { SiteLogUploadConfig: { ...place, SecretAccessKey: 'UploadSecret1' } },
  })
  assert.equal(upload.status, 200, JSON.stringify(upload.body))
  const secrets = { OnetimeURLSecrets: ['OnetimeSecretA'] }
  const site = await server.ask('PUT', `${SITE}/${ID}`, { body: { Site: secrets } })
  assert.equal(site.status, 200, JSON.stringify(site.body))
}

for (const engine of engines) {
  describe(`rotation of the key-encryption key on ${engine.name}`, () => {
    test('seals everything again, and the old key can go', async (t: TestContext) => {
      const data = temporaryFolder(t)
      const keyFile = join(data, 'test.key')
      const running: ServerProcess[] = []
      t.after(() => Promise.all(running.map((server) => server.stop('SIGKILL'))))
      const started = async () => {
        const server = await start(data, flags)
        running.push(server)
        return server
      }
      const flags = ['--key-file', keyFile, ...(await engine.flags())]
      const old = newKey()
      writeFileSync(keyFile, `${old}\n`)
      const first = await started()
      await addMissingKinds(data, first)
      const before = await secretsOf(data, first)
      assert.match(
        await kumoi(data, first, 'keys', 'check'),
        /^opened +api_key\.verifier +under the key without an id$/m,
      )
      await first.stop()

      const added = `2026-11:${newKey()}`
      writeFileSync(keyFile, `${added}\n${old}\n`)
      const second = await started()
      assert.deepEqual(await secretsOf(data, second), before)
      const said = await kumoi(data, second, 'keys', 'rotate')
      assert.match(said, /^[1-9]\d* values were sealed again under the key 2026-11\.$/m)
      assert.match(said, /^Nothing needs the key without an id any more/m)
      assert.match(await kumoi(data, second, 'keys', 'rotate'), /^0 values were sealed again/m)
      await second.stop()

      writeFileSync(keyFile, `${added}\n`)
      const third = await started()
      const checked = await kumoi(data, third, 'keys', 'check')
      assert.doesNotMatch(checked, /^failed|without an id/m)
      for (const kind of KINDS) {
        assert.match(
          checked,
          new RegExp(`^opened +${kind.replace('.', '\\.')} +under the key 2026-11$`, 'm'),
        )
      }
      assert.deepEqual(await secretsOf(data, third), before)
      await third.stop()

      writeFileSync(keyFile, `${old}\n`)
      const refused = await run(['--port', '0', '--data', data, ...flags])
      assert.equal(refused.code, 1)
      assert.match(refused.stderr, /^kumoi: The key-encryption key is not the one/)
    })
  })
}
