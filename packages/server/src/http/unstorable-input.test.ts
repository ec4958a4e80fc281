import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { basic, openCloud, search, type TestCloud } from '../testing/cloud.ts'
import { engines } from '../testing/engines.ts'

/** What PostgreSQL would fail on and SQLite would not: refused before either sees it. */
const CASES: [string, number, (cloud: TestCloud) => Promise<{ status: number; text: string }>][] = [
  ['U+0000 in the user of Basic', 401, ({ ask }) => ask('GET', '/auth-status', { token: 'a\0b' })],
  [
    'U+0000 in the user of Basic, in a family with Digest',
    401,
    ({ inject }) =>
      inject('GET', '/cloud/zone/is1a/api/webaccel/1.0/site', {
        headers: { authorization: basic('a\0') },
      }),
  ],
  ['U+0000 in an id', 404, ({ ask }) => ask('GET', '/commonserviceitem/91%00')],
  ['U+0000 in an id of an appliance', 404, ({ ask }) => ask('PUT', '/appliance/%00/config')],
  [
    'U+0000 in a member code, which is then no code of the key’s',
    403,
    ({ inject }) =>
      inject('GET', '/cloud/zone/is1a/api/system/1.0/billdetail/mem%00/1', {
        headers: { authorization: basic('acme-token') },
      }),
  ],
  ['U+0000 in an account code', 404, ({ operator }) => operator('GET', '/accounts/a%00/keys')],
  ['U+0000 in a key', 404, ({ operator }) => operator('DELETE', '/accounts/acme/keys/%00')],
  ['U+0000 in a fault id', 404, ({ operator }) => operator('GET', '/faults/%00')],
  ['U+0000 in a serial', 404, ({ operator }) => operator('GET', '/requests/%00')],
  ['U+0000 in a token', 401, ({ inject }) => inject('POST', '/iot/v1/incoming/%00', { body: {} })],
  [
    'U+0000 in a body',
    400,
    ({ ask }) =>
      ask('POST', '/commonserviceitem', {
        body: { CommonServiceItem: { Name: 'a\0', Provider: { Class: 'esme' } } },
      }),
  ],
  [
    'U+0000 in a text body',
    400,
    ({ operator }) => operator('POST', '/world', { body: 'version: 1\n# \0' }),
  ],
  [
    'U+0000 written as an escape of YAML',
    400,
    ({ operator }) =>
      operator('POST', '/world', { body: 'version: 1\naccounts: [{ code: a, name: "\\0" }]' }),
  ],
  [
    'U+0000 in a snapshot',
    400,
    async ({ operator }) => {
      await operator('POST', '/snapshots', { body: { name: 'saved' } })
      const { text } = await operator('GET', '/snapshots/saved/file')
      const body = text.replaceAll('"Acme"', '"Ac\\u0000me"')
      return operator('POST', '/snapshots/broken/file', { body })
    },
  ],
  [
    'a fraction for an integer column',
    200,
    ({ ask }) => ask('GET', filter({ 'Provider.ID': 1.5 })),
  ],
  ['a number past 2^53', 200, ({ ask }) => ask('GET', filter({ 'Provider.ID': [2 ** 53 + 2] }))],
  ['2^63', 200, ({ ask }) => ask('GET', filter({ 'Provider.ID>': 2 ** 63 }))],
  ['1e308', 200, ({ ask }) => ask('GET', filter({ 'Provider.ID<': 1e308 }))],
  [
    'a number past 2^31 for a column of 32 bits',
    200,
    ({ operator }) =>
      operator('GET', `/outbox/webhooks${search({ Filter: { response_code: 2 ** 31 } })}`),
  ],
  ['U+0000 in a filter', 400, ({ ask }) => ask('GET', filter({ Name: 'a\0' }))],
  ['U+0000 in a pair', 400, ({ ask }) => ask('GET', '/commonserviceitem?Sort=%00')],
  ['From of 2^63', 400, ({ ask }) => ask('GET', list({ From: 2 ** 63 }))],
  ['From of 1e21', 400, ({ ask }) => ask('GET', list({ From: 1e21 }))],
  ['Count of 1e21', 400, ({ ask }) => ask('GET', list({ Count: 1e21 }))],
]

function list(query: object): string {
  return `/commonserviceitem${search(query)}`
}

function filter(conditions: object): string {
  return list({ Filter: conditions })
}

for (const engine of engines) {
  describe(`${engine.name}: input that an engine cannot store`, () => {
    test('is refused as bad input, and is never a fault of ours', async (t) => {
      const cloud = await openCloud(t, { engine })
      for (const [title, status, send] of CASES) {
        const answer = await send(cloud)
        assert.equal(answer.status, status, `${title}: ${answer.text}`)
      }
    })

    test('is named by its place in the body and in the query', async (t) => {
      const { ask } = await openCloud(t, { engine })
      const Tags = ['a', 'b\0']
      const body = { CommonServiceItem: { Name: 'a', Tags, Provider: { Class: 'esme' } } }
      const inBody = await ask('POST', '/commonserviceitem', { body })
      assert.match(inBody.body.error_msg, /CommonServiceItem\.Tags\[1\] has the character U\+0000/)
      const inQuery = await ask('GET', filter({ Name: ['\0'] }))
      assert.match(inQuery.body.error_msg, /Filter\.Name\[0\] has the character U\+0000/)
    })
  })
}
