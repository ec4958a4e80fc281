import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, test } from 'node:test'
import { createClient } from './client.ts'
import { RefusalError } from './refusal-error.ts'
import type { ClientOptions } from './wire.ts'

interface Seen {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly type: string | undefined
  readonly language: string | undefined
  readonly body: string
}

interface Reply {
  readonly status: number
  readonly type: string
  readonly body: string
}

const OK: Reply = { status: 200, type: 'application/json; charset=utf-8', body: '{"is_ok":true}' }

describe('createClient', () => {
  let server: Server
  let origin = ''
  let seen: Seen | undefined
  let reply = OK

  before(async () => {
    server = createServer(answer)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => server.close())
  beforeEach(() => {
    seen = undefined
    reply = OK
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request
    const { authorization, 'content-type': type, 'accept-language': language } = headers
    seen = { method, url, authorization, type, language, body: await text(request) }
    response.writeHead(reply.status, { 'content-type': reply.type }).end(reply.body)
  }

  const client = (options: Partial<ClientOptions> = {}) =>
    createClient({ baseUrl: `${origin}/cloud`, token: 'tok', secret: 'sécret', ...options })

  test('fills the path with the zone and the escaped parameters', async () => {
    await client({ zone: 'tk1a' }).itemRead({ params: { id: 'a/b' } })
    assert.equal(seen?.method, 'GET')
    assert.equal(seen?.url, '/cloud/zone/tk1a/api/cloud/1.1/commonserviceitem/a%2Fb')
  })

  test('asks another zone where a call says so, and the only zone of a family that has one', async () => {
    await client({ zone: 'tk1a' }).authStatus({}, { zone: 'is1b' })
    assert.equal(seen?.url, '/cloud/zone/is1b/api/cloud/1.1/auth-status')
    await client({ zone: 'tk1a' }).siteList()
    assert.equal(seen?.url, '/cloud/zone/is1a/api/webaccel/1.0/site')
  })

  test('asks the operator where it is told that the operator is', async () => {
    await client({ operatorUrl: `${origin}/elsewhere/v1/` }).clockRead()
    assert.equal(seen?.url, '/elsewhere/v1/clock')
  })

  test('sends the headers that it is given', async () => {
    await client({ headers: { 'accept-language': 'ja' } }).authStatus()
    assert.equal(seen?.language, 'ja')
  })

  test('throws a refusal where it is asked to, with all that the answer says', async () => {
    const failure = { error_code: 'conflict', error_msg: 'No.\nTaken.', serial: 'ab', is_ok: false }
    reply = { ...OK, status: 409, body: JSON.stringify(failure) }
    const params = { sim_id: '900000000001' }
    const error: unknown = await client()
      .orThrow.simActivate({ params })
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof RefusalError)
    assert.deepEqual(error.refusal, {
      code: 'conflict',
      status: 409,
      message: 'No.\nTaken.',
      serial: 'ab',
    })
    assert.match(error.message, /^simActivate was refused with conflict \(409\): No\./)
  })

  test('gives the data alone where refusals are thrown', async () => {
    reply = { ...OK, body: '{"is_ok":true,"snapshots":[]}' }
    assert.deepEqual(await client().orThrow.snapshotList(), { is_ok: true, snapshots: [] })
  })

  test('says that an answer was cut off', async () => {
    reply = { ...OK, body: '{"is_ok":' }
    await assert.rejects(client().authStatus(), /The answer \(200\) is not whole/)
  })

  test('stops when it is told to', async () => {
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(client().authStatus({}, { signal }), /enough/)
    assert.equal(seen, undefined)
  })

  test('opens an answer as a stream', async () => {
    reply = { status: 200, type: 'application/x-ndjson', body: 'a\nb\n' }
    const opened = await client().open('snapshotExport', { params: { name: 'a' } })
    assert.ok(opened.ok)
    assert.equal(await new Response(opened.data).text(), 'a\nb\n')
  })

  test('asks the zone is1a unless told otherwise, below the base address', async () => {
    await client({ baseUrl: `${origin}/` }).call('authStatus')
    assert.equal(seen?.url, '/zone/is1a/api/cloud/1.1/auth-status')
  })

  test('refuses a path parameter that is missing or would lead elsewhere', async () => {
    for (const id of ['', '.', '..']) {
      await assert.rejects(
        client().itemRead({ params: { id } }),
        /itemRead needs the path parameter id/,
      )
    }
    await assert.rejects(client().call('itemRead'), /itemRead needs the path parameter id/)
    assert.equal(seen, undefined)
  })

  test('sends the search conditions as one escaped JSON object', async () => {
    const search = { Count: 2, Filter: { Name: 'a+b & 日本', 'Provider.Class': 'sim' } }
    await client().call('itemList', { search })
    const raw = seen?.url?.split('?')[1] ?? ''
    assert.deepEqual(JSON.parse(decodeURIComponent(raw)), search)
    assert.doesNotMatch(raw, /[+&" ]/)
  })

  test('sends a query as pairs, a space never as a plus', async () => {
    await client().call('siteList', { query: { target: '2026 04+', n: 1 } })
    assert.equal(seen?.url?.split('?')[1], 'target=2026%2004%2B&n=1')
  })

  test('sends a query with an object in it as one escaped JSON object', async () => {
    const query = { Filter: { page: 2 }, none: undefined }
    await client().call('siteList', { query })
    const raw = seen?.url?.split('?')[1] ?? ''
    assert.deepEqual(JSON.parse(decodeURIComponent(raw)), { Filter: { page: 2 } })
  })

  test('sends the key as Basic credentials in UTF-8, and a body as JSON', async () => {
    const body = { CommonServiceItem: { Name: 'a' } }
    await client().call('itemUpdate', { params: { id: '900000000001' }, body })
    const expected = Buffer.from('tok:sécret').toString('base64')
    assert.equal(seen?.authorization, `Basic ${expected}`)
    assert.equal(seen?.type, 'application/json')
    assert.deepEqual(JSON.parse(seen?.body ?? ''), body)
  })

  test('sends the operator token, and not the key, to the root of the origin', async () => {
    await client({ operatorToken: 'op' }).call('worldApply', { text: 'version: 1\n' })
    assert.equal(seen?.url, '/_kumoi/v1/world')
    assert.equal(seen?.authorization, 'Bearer op')
    assert.equal(seen?.body, 'version: 1\n')
    await client().call('healthLive')
    assert.equal(seen?.authorization, undefined)
    await client({ operatorToken: 'op' }).call('authStatus')
    assert.match(seen?.authorization ?? '', /^Basic /)
  })

  test('answers with the parsed JSON', async () => {
    reply = { ...OK, status: 201, body: '{"is_ok":true,"a":[1]}' }
    const result = await client().authStatus()
    assert.deepEqual(result, { ok: true, status: 201, data: { is_ok: true, a: [1] } })
  })

  test('answers with the text where it is no JSON', async () => {
    reply = { status: 200, type: 'text/plain; version=0.0.4', body: 'up 1\n' }
    assert.deepEqual(await client().call('metricsRead'), { ok: true, status: 200, data: 'up 1\n' })
  })

  test('answers with the refusal as a result', async () => {
    const failure = { error_code: 'conflict', error_msg: 'No.\nTaken.', serial: 'ab', is_ok: false }
    reply = { ...OK, status: 409, body: JSON.stringify(failure) }
    assert.deepEqual(await client().call('itemList'), {
      ok: false,
      refusal: { status: 409, code: 'conflict', message: 'No.\nTaken.', serial: 'ab' },
    })
  })

  test('answers with what there is when something else refused', async () => {
    reply = { status: 502, type: 'text/html', body: '' }
    assert.deepEqual(await client().call('itemList'), {
      ok: false,
      refusal: { status: 502, code: 'unknown', message: 'Bad Gateway', serial: '' },
    })
  })

  test('uses the fetch that it is given', async () => {
    const given = async (address: string) => Response.json({ address })
    const result = await client({ fetch: given }).call('clockRead')
    const data = { address: `${origin}/_kumoi/v1/clock` }
    assert.deepEqual(result, { ok: true, status: 200, data })
  })
})
