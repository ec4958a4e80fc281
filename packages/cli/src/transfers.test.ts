import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, type TestContext, test } from 'node:test'
import { createClient } from '@kumoi/client'
import { fetchFile, sendFile } from './transfers.ts'

const client = createClient({ baseUrl: 'https://localhost/cloud' })

async function open(
  t: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse) => unknown,
) {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-transfer-'))
  t.after(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/upload/`
  return { folder, handedOut: { IoTPlatform: { url, token: 'once' }, is_ok: true } }
}

describe('a file', () => {
  test('is sent to the address that was handed out, with its token and name', async (t) => {
    let sent = ''
    const { folder, handedOut } = await open(t, async (request, response) => {
      sent = `${request.headers.authorization} ${await text(request)}`
      response.writeHead(202, { 'content-type': 'application/json' }).end('{"name":"a.txt"}')
    })
    writeFileSync(join(folder, 'a.txt'), 'content')
    assert.deepEqual(await sendFile(client, handedOut, join(folder, 'a.txt')), { name: 'a.txt' })
    assert.match(sent, /^Bearer once .*name="attachment"; filename="a\.txt".*content/s)
    await assert.rejects(sendFile(client, handedOut, join(folder, 'none')), {
      exitCode: 2,
      message: /cannot be read/,
    })
  })

  test('is fetched whole or not at all', async (t) => {
    const { folder, handedOut } = await open(t, (request, response) => {
      if (request.url === '/upload/') return response.end('content')
      response.writeHead(200, { 'content-length': '100' }).write('part')
      return setImmediate(() => response.destroy())
    })
    const path = join(folder, 'b.txt')
    await fetchFile(client, handedOut, path)
    assert.equal(readFileSync(path, 'utf8'), 'content')
    const broken = { File: { url: `${handedOut.IoTPlatform.url}broken` } }
    await assert.rejects(fetchFile(client, broken, path), /could not be written/)
    assert.equal(readFileSync(path, 'utf8'), 'content')
    assert.deepEqual(readdirSync(folder), ['b.txt'])
  })

  test('that is refused says why', async (t) => {
    const { folder, handedOut } = await open(t, (_request, response) =>
      response.writeHead(404).end(),
    )
    await assert.rejects(fetchFile(client, handedOut, join(folder, 'c')), { exitCode: 5 })
  })
})
