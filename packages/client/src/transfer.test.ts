import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { createClient } from './client.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => unknown

async function serve(t: TestContext, answer: Answer): Promise<string> {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const client = createClient({ baseUrl: 'https://localhost/cloud' })

describe('upload', () => {
  test('sends the file as a form with its length, and tells how far it is', async (t) => {
    let form: FormData | undefined
    let headers: IncomingMessage['headers'] = {}
    const origin = await serve(t, async (request, response) => {
      headers = request.headers
      const body = new Uint8Array(await buffer(request))
      assert.equal(String(body.length), headers['content-length'])
      const type = headers['content-type'] ?? ''
      form = await new Response(body, { headers: { 'content-type': type } }).formData()
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"size":300000}')
    })
    const told: number[] = []
    const file = new Blob([new Uint8Array(300_000).fill(7)], { type: 'image/png' })
    const result = await client.upload({
      url: `${origin}/v1/projects/1/files/2/upload/`,
      token: 'once',
      file,
      name: 'a "b".png',
      onProgress: (done, total) => {
        assert.equal(total, 300_000)
        told.push(done)
      },
    })
    assert.deepEqual(result, { ok: true, status: 202, data: { size: 300_000 } })
    assert.equal(headers.authorization, 'Bearer once')
    const sent = form?.get('attachment')
    assert.ok(sent instanceof File)
    assert.deepEqual([sent.size, sent.type], [300_000, 'image/png'])
    assert.equal(told.at(-1), 300_000)
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    )
  })

  test('answers with the refusal', async (t) => {
    const origin = await serve(t, async (request, response) => {
      await buffer(request)
      const body = '{"error_code":"request_too_large","error_msg":"Too large.","serial":"s"}'
      response.writeHead(413, { 'content-type': 'application/json' }).end(body)
    })
    const result = await client.upload({
      url: origin,
      token: 't',
      file: new Blob(['a']),
      name: 'a',
    })
    assert.deepEqual(result, {
      ok: false,
      refusal: { code: 'request_too_large', status: 413, message: 'Too large.', serial: 's' },
    })
  })

  test('goes by XMLHttpRequest where there is one, and counts the file without its form', async (t) => {
    const told: number[] = []
    Object.assign(globalThis, { XMLHttpRequest: FakeXhr })
    t.after(() => Reflect.deleteProperty(globalThis, 'XMLHttpRequest'))
    const order = { url: 'https://localhost/u', token: 't', file: new Blob(['12345']), name: 'a' }
    const result = await client.upload({ ...order, onProgress: (done) => told.push(done) })
    assert.deepEqual(result, { ok: true, status: 202, data: { is: 'PUT https://localhost/u' } })
    assert.deepEqual(told, [0, 5])
    const signal = AbortSignal.abort(new Error('enough'))
    await assert.rejects(client.upload({ ...order, signal }), /enough/)
  })
})

/** As much of a browser as an upload touches. */
class FakeXhr {
  readonly upload: { onprogress?: (event: object) => void } = {}
  readonly status = 202
  onload?: () => void
  onloadend?: () => void
  responseText = ''

  open(method: string, url: string): void {
    this.responseText = JSON.stringify({ is: `${method} ${url}` })
  }

  setRequestHeader(name: string, value: string): void {
    assert.deepEqual([name, value], ['authorization', 'Bearer t'])
  }

  getResponseHeader(): string {
    return 'application/json'
  }

  send(form: FormData): void {
    assert.ok(form.get('attachment') instanceof File)
    this.upload.onprogress?.({ loaded: 90, total: 105 })
    this.upload.onprogress?.({ loaded: 105, total: 105 })
    this.onload?.()
    this.onloadend?.()
  }
}

describe('download', () => {
  test('is a stream of known size and type, and tells how far it is', async (t) => {
    const origin = await serve(t, (request, response) => {
      assert.equal(request.headers.authorization, undefined)
      response
        .writeHead(200, { 'content-type': 'image/png', 'content-length': '100000' })
        .end(Buffer.alloc(100_000, 1))
    })
    let told = 0
    const result = await client.download({
      url: origin,
      onProgress: (done, total) => {
        assert.equal(total, 100_000)
        told = done
      },
    })
    assert.ok(result.ok)
    assert.deepEqual([result.data.size, result.data.type], [100_000, 'image/png'])
    assert.equal((await new Response(result.data.stream).bytes()).length, 100_000)
    assert.equal(told, 100_000)
  })

  test('answers with the refusal', async (t) => {
    const origin = await serve(t, (_request, response) => response.writeHead(404).end('gone'))
    const result = await client.download({ url: origin })
    assert.ok(!result.ok)
    assert.deepEqual([result.refusal.status, result.refusal.message], [404, 'gone'])
  })
})
