/** Requests of both ways on one connection, cut into pieces anywhere: whole and in order for all of them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { SeededRandom } from '../kernel/random.ts'
import { makeCertificate } from '../testing/certificates.ts'
import { closeListener, listenOn, newListener } from './listeners.ts'

const CONNECTIONS = 60
const { certificate: cert, key } = makeCertificate({ names: ['localhost'] })
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
const digest = (body: Buffer) => createHash('sha256').update(body).digest('hex').slice(0, 8)
const echo = (url = '', body: Buffer = Buffer.alloc(0)) => `${url} ${digest(body)};`

for (const isSecure of [false, true]) {
  test(`requests in pieces ${isSecure ? 'with' : 'without'} TLS`, async (t) => {
    const random = new SeededRandom('pieces')
    const below = (limit: number) => random.bytes(4).readUInt32LE() % limit
    const listener = newListener({
      ...{ tls: isSecure ? { cert, key } : undefined, random },
      takePlain: ({ url, body }) =>
        url?.startsWith('/long') ? undefined : answer(echo(url, body)),
      listener: async (message, response) => {
        const chunks: Buffer[] = []
        await turn()
        for await (const chunk of message) chunks.push(chunk)
        response.end(echo(message.url, Buffer.concat(chunks)))
      },
    })
    const port = await listenOn(listener, '127.0.0.1', 0)
    t.after(() => closeListener(listener, 0))
    for (let connection = 0; connection < CONNECTIONS; connection += 1) {
      const requests = Array.from({ length: 1 + below(6) }, (_, index) => {
        const path = `/${below(8) === 0 ? 'long' : 'short'}${index}`
        const size = [0, 1 + below(400), 1 + below(300_000)][below(3)] ?? 0
        return { path, body: random.bytes(size), isChunked: size > 0 && below(4) === 0 }
      })
      const client = isSecure
        ? connectTls({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' })
        : connect({ port, host: '127.0.0.1' })
      const answered = answers(client, requests.length)
      let bytes = Buffer.concat(requests.map(written))
      while (bytes.length > 0) {
        const size = [bytes.length, 1 + below(60), 1 + below(100_000)][below(3)]
        client.write(bytes.subarray(0, size))
        bytes = bytes.subarray(size)
        if (below(2) === 0) await turn()
      }
      assert.equal(await answered, requests.map(({ path, body }) => echo(path, body)).join(''))
      client.destroy()
    }
  })
}

async function answer(body: string) {
  await turn()
  const text = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  return { text, encoding: 'latin1', isLast: false } as const
}

interface Sent {
  readonly path: string
  readonly body: Buffer
  readonly isChunked: boolean
}

function written({ path, body, isChunked }: Sent): Buffer {
  const head = (field: string) =>
    Buffer.from(`POST ${path} HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`)
  if (!isChunked) return Buffer.concat([head(`Content-Length: ${body.length}`), body])
  const size = Buffer.from(`${body.length.toString(16)}\r\n`)
  const end = Buffer.from('\r\n0\r\n\r\n')
  return Buffer.concat([head('Transfer-Encoding: chunked'), size, body, end])
}

/** The bodies of so many answers, or of those that came before the connection ended. */
async function answers(client: Socket, count: number): Promise<string> {
  let text = ''
  for await (const chunk of client.iterator({ destroyOnReturn: false })) {
    text += chunk
    const found = text.match(/\/(?:long|short)\d [0-9a-f]{8};/g) ?? []
    if (found.length === count) return found.join('')
  }
  return text
}
