/** The ceiling: a `node:http` and a `node:https` server that read a request and answer the same bytes as ours does. */
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Server } from 'node:net'
import { join } from 'node:path'

interface Sample {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// One answer to GET and one to POST, taken from our own server by the bench.
const samples: Record<string, Sample> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const tlsFolder = process.argv[3] ?? ''

const answer: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const sample = samples[request.method ?? 'GET']
    response.writeHead(sample?.status ?? 500, sample?.headers)
    response.end(sample?.body)
  })
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
}

const key = readFileSync(join(tlsFolder, 'server.key'))
const cert = readFileSync(join(tlsFolder, 'server.pem'))
const plainPort = await listen(createServer(answer))
const tlsPort = await listen(createTlsServer({ key, cert }, answer))
process.stdout.write(`Ready. ${plainPort} ${tlsPort}\n`)
