/**
 * What hits of the edge are compared with: Node's HTTP/1.1 server, and its HTTP/2 server by the stream API, that answer
 * the same bytes. A process of its own, started with the answer in a file.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo, Server } from 'node:net'
import { join } from 'node:path'
import { type Started, start } from './processes.ts'

export interface Sample {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly cert: string
  readonly key: string
}

export interface BareEdge {
  readonly started: Started
  readonly port: number
  readonly tlsPort: number
}

export async function startBareEdge(folder: string, sample: Sample): Promise<BareEdge> {
  const file = join(folder, 'sample.json')
  writeFileSync(file, JSON.stringify(sample))
  const until = /Ready\. (\d+) (\d+)\n/
  const started = await start({
    node: ['--max-semi-space-size=8'],
    args: [import.meta.filename, file],
    until,
  })
  const [, port, tlsPort] = until.exec(started.output) ?? []
  return { started, port: Number(port), tlsPort: Number(tlsPort) }
}

async function serve({ status, headers, body, cert, key }: Sample): Promise<void> {
  const content = Buffer.from(body)
  // Node adds these itself.
  const { date: _d, connection: _c, 'keep-alive': _k, ...own } = headers
  const plain = createServer((request, response) => {
    request.resume()
    response.writeHead(status, own)
    response.end(content)
  })
  const secure = createSecureServer({ cert, key })
  secure.on('stream', (stream) => {
    stream.resume()
    stream.respond({ ':status': status, ...own })
    stream.end(content)
  })
  process.stdout.write(`Ready. ${await listen(plain)} ${await listen(secure)}\n`)
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
}

if (import.meta.main) await serve(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
