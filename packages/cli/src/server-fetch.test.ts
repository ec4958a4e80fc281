import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { serverFetch } from './server-fetch.ts'

async function listen(t: TestContext, server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('sends method, headers and body, and reads status, headers and text', async (t) => {
  const server = createServer(async (request, response) => {
    response.writeHead(409, { 'retry-after': '7' })
    response.end(`${request.method} ${request.headers.accept} ${await text(request)} 雲`)
  })
  const url = await listen(t, server)
  const init = { method: 'PUT', headers: { accept: 'a/b' }, body: 'sent' }
  const answer = await serverFetch([url], undefined)(url, init)
  assert.deepEqual([answer.ok, answer.status, answer.statusText], [false, 409, 'Conflict'])
  assert.deepEqual([answer.headers.get('Retry-After'), answer.headers.get('x')], ['7', null])
  assert.equal(await answer.text(), 'PUT a/b sent 雲')
})

test('streams a file there and an answer back', async (t) => {
  const server = createServer((request, response) => request.pipe(response))
  const url = await listen(t, server)
  const body = new Blob(['one ', 'two']).stream()
  const answer = await serverFetch([url], undefined)(url, { method: 'POST', body })
  assert.equal(await new Response(answer.body).text(), 'one two')
})

test('rejects when the answer does not come, breaks off, or is not wanted any more', async (t) => {
  const server = createServer((request, response) => {
    if (request.url === '/none') request.socket.destroy()
    if (request.url === '/half') response.writeHead(200, { 'content-length': '9' }).write('half')
    if (request.url === '/half') setImmediate(() => request.socket.destroy())
  })
  const url = await listen(t, server)
  const fetch = serverFetch([url], undefined)
  await assert.rejects(fetch(`${url}/none`, {}), { code: 'ECONNRESET' })
  const half = await fetch(`${url}/half`, {})
  await assert.rejects(half.text(), { code: 'ECONNRESET' })
  const waiting = new AbortController()
  const late = fetch(`${url}/late`, { signal: waiting.signal })
  waiting.abort()
  await assert.rejects(late, { name: 'AbortError' })
  server.closeAllConnections()
})
