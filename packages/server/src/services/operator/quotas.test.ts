import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, openCloud, type TestCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { formOf } from '../../testing/forms.ts'
import { gatewayDraft } from '../../testing/gateways.ts'
import { openIot } from '../../testing/iot.ts'
import { draft } from '../../testing/sims.ts'
import { DRAFT, WEBACCEL } from '../../testing/webaccel.ts'

const AT_ONCE = 20
const LIMIT = 3

const limit = ({ operator }: Pick<TestCloud, 'operator'>, body: object) =>
  operator('PUT', '/accounts/acme/quotas', { body })

const usesIn = (answer: Answer) =>
  Object.fromEntries(
    answer.body.quotas.map((quota: { name: string; limit: number; used: number }) => [
      quota.name,
      [quota.limit, quota.used],
    ]),
  )

/** As many of the answers are successes as the limit allows, and the others name it. */
function checkAnswers(answers: readonly Answer[], ok: number, status: number, name: string) {
  const refused = answers.filter((answer) => answer.status !== ok)
  assert.equal(refused.length, AT_ONCE - LIMIT)
  for (const { status: seen, body } of refused) {
    assert.deepEqual([seen, body.is_ok], [status, false], body.error_msg)
    assert.match(body.error_msg, new RegExp(`The quota ${name} of the account is ${LIMIT}; `))
  }
}

for (const engine of engines) {
  describe(`quotas on ${engine.name}`, () => {
    test('let no more through than the limit, when many create at once', async (t) => {
      const cloud = await openIot(t, { engine })
      const { ask, inject } = cloud
      const item = (body: object) => ask('POST', '/commonserviceitem', { body })
      const project = (n: number) =>
        item({ CommonServiceItem: { Name: `p${n}`, Provider: { Class: 'iotplatform' } } })
      const authorization = `Basic ${btoa('acme-token:acme-token-secret')}`
      const site = (n: number) =>
        inject('POST', `${WEBACCEL}/site`, {
          headers: { authorization },
          body: { Site: { ...DRAFT, Domain: `w${n}.example.jp` } },
        })
      const kinds: [string, number, (n: number) => Promise<Answer>][] = [
        ['sims', 201, (n) => item(draft(n))],
        ['projects', 201, project],
        ['gateways', 202, (n) => ask('POST', '/appliance', { body: gatewayDraft(`g${n}`) })],
        ['sites', 200, site],
      ]
      for (const [name, ok, create] of kinds) {
        await limit(cloud, { [name]: LIMIT })
        const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => create(n)))
        checkAnswers(answers, ok, 409, name)
      }
      const uses = usesIn(await cloud.operator('GET', '/accounts/acme/quotas'))
      assert.deepEqual(
        [uses.sims, uses.projects, uses.gateways, uses.sites],
        Array(4).fill([LIMIT, LIMIT]),
      )
      assert.equal((await limit(cloud, { sims: null })).status, 200)
      assert.equal((await item(draft(100))).status, 201)
      const own = await ask('GET', '/quota', { token: 'acme-view' })
      assert.deepEqual(own.body.Quotas.slice(0, 2), [
        { Name: 'sims', Limit: null, Used: LIMIT + 1 },
        { Name: 'gateways', Limit: LIMIT, Used: LIMIT },
      ])
      const other = await ask('GET', '/quota', { token: 'other-token' })
      assert.deepEqual(other.body.Quotas[0], { Name: 'sims', Limit: null, Used: 0 })
    })

    test('limit the messages of a day, and the bytes of files', async (t) => {
      const cloud = await openIot(t, { engine })
      const { ask, clock, createProject, vmgw } = cloud
      const body = { CommonServiceItem: { Name: 'codes', Provider: { Class: 'esme' } } }
      const { ID } = (await ask('POST', '/commonserviceitem', { body })).body.CommonServiceItem
      const send = (n: number) =>
        ask('PUT', `/commonserviceitem/${ID}/esme/2fa/otp`, {
          body: {
            ESME: { destination: `81901234${5000 + n}`, sender: 'Acme', otpOperation: 'generate' },
          },
        })
      await limit(cloud, { messages_per_day: LIMIT, file_bytes: 10 })
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, n) => send(n)))
      checkAnswers(
        answers,
        answers.find(({ status }) => status < 300)?.status ?? 0,
        429,
        'messages_per_day',
      )
      const refused = answers.find(({ status }) => status === 429)
      assert.equal(refused?.headers['retry-after'], '86400')
      await clock.advanceTo(new Date(clock.now().getTime() + 86_400_000))
      assert.ok((await send(30)).status < 300, 'the next day')

      const project = await createProject()
      const upload = async (name: string, content: string) => {
        await vmgw('PUT', project, `/files/${name}/stat`)
        const wanted = await vmgw('PUT', project, `/files/${name}/upload_request`)
        const { url, token } = wanted.body.IoTPlatform
        const form = formOf(content)
        return cloud.inject('PUT', new URL(url).pathname, {
          headers: { authorization: `Bearer ${token}`, ...form.headers },
          body: form.body,
        })
      }
      assert.equal((await upload('a', '12345678')).status, 202)
      const full = await upload('b', '123')
      assert.equal(full.status, 409)
      assert.match(full.body.error_msg, /The quota file_bytes of the account is 10; 8 are used\./)
      assert.equal((await upload('a', '1234567890')).status, 202, 'in place of the other content')
      assert.equal((await upload('a', '12345678901')).status, 409)
      const stored = async () => (await cloud.blobs.list()).map(({ bytes }) => bytes)
      const before = await stored()
      assert.equal((await upload('b', '1'.repeat(100_000))).status, 409)
      assert.deepEqual(await stored(), before, 'a refused content is not kept')
      assert.equal((await upload('a', '1')).status, 202)
      const uses = usesIn(await cloud.operator('GET', '/accounts/acme/quotas'))
      assert.deepEqual(
        [uses.file_bytes, uses.messages_per_day],
        [
          [10, 1],
          [LIMIT, 1],
        ],
      )
    })

    test('limit the requests of a second, with 429 and when to come again', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { ask, operator } = cloud
      assert.equal((await ask('GET', '/auth-status')).status, 200)
      await limit(cloud, { requests_per_second: 1 })
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, () => ask('GET', '/auth-status')),
      )
      const refused = answers.find(({ status }) => status === 429)
      assert.ok(refused)
      assert.equal(refused.headers['retry-after'], '1')
      assert.match(refused.body.error_msg, /The quota requests_per_second of the account is 1;/)
      assert.equal((await ask('GET', '/auth-status', { token: 'other-token' })).status, 200)
      await operator('PUT', '/accounts/acme/quotas', { body: { requests_per_second: null } })
      assert.equal((await ask('GET', '/auth-status')).status, 200)
    })

    test('count the requests of a second that are forbidden, too', async (t) => {
      const { ask, operator } = await openCloud(t, { engine })
      await operator('PUT', '/accounts/acme/quotas', { body: { requests_per_second: 1 } })
      const call = (token: string) => ask('DELETE', '/commonserviceitem/900000000099', { token })
      const first = await Promise.all([call('acme-view'), call('acme-view')])
      assert.deepEqual(
        first.map(({ status }) => status),
        [403, 403],
      )
      assert.equal((await call('acme-token')).status, 429)
    })

    test('say of 0 requests a second that none is possible, and for how long', async (t) => {
      const cloud = await openCloud(t, { engine })
      await limit(cloud, { requests_per_second: 0 })
      const { status, headers, body } = await cloud.ask('GET', '/auth-status')
      assert.deepEqual([status, headers['retry-after']], [429, '60'])
      assert.match(body.error_msg, /second of the account is 0; no request is possible until the/)
      const japanese = await cloud.ask('GET', '/auth-status', {
        headers: { 'accept-language': 'ja' },
      })
      assert.match(japanese.body.error_msg, /は 0 です。運用者が変更するまで/)
      await limit(cloud, { requests_per_second: 1 })
      assert.equal((await cloud.ask('GET', '/auth-status')).status, 200)
    })

    test('are in the export of a world, and stay when one without them is applied', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { operator } = cloud
      const account = { code: 'acme', name: 'Acme', quotas: { sims: 5, file_bytes: 0 } }
      await operator('POST', '/world', { body: { version: 1, accounts: [account] } })
      await operator('POST', '/world', {
        body: { version: 1, accounts: [{ ...account, quotas: { file_bytes: null } }] },
      })
      const exported = (await operator('GET', '/world')).body
      assert.deepEqual(exported.accounts[0].quotas, { sims: 5 })
      assert.equal(exported.accounts[1].quotas, undefined)
      const again = (await operator('POST', '/world', { body: exported })).body.changes
      assert.equal(again.accounts.updated, 0)
      assert.deepEqual(usesIn(await operator('GET', '/accounts/acme/quotas')).sims, [5, 0])
      for (const bad of [{ sims: -1 }, { sims: 1.5 }, { sims: '5' }, { cars: 1 }]) {
        assert.equal((await limit(cloud, bad)).status, 400, JSON.stringify(bad))
      }
      assert.equal((await operator('GET', '/accounts/nobody/quotas')).status, 404)
    })
  })
}
