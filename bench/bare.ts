/** The ceiling: a `node:http` server that reads a request and answers the same bytes as ours does. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'

interface Sample {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

// One answer to GET and one to POST, taken from our own server by the bench.
const samples: Record<string, Sample> = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const sample = samples[request.method ?? 'GET']
    response.writeHead(sample?.status ?? 500, sample?.headers)
    response.end(sample?.body)
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`Ready. ${typeof address === 'object' ? address?.port : 0}\n`)
})
