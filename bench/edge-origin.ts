/** The origin of the edge's benchmark: 1 KiB that may be stored, and as many bytes as the path asks for. */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'

const KIB = Buffer.alloc(1024, 'k')
const CHUNK = Buffer.alloc(65_536, 'm')
const HEADERS = {
  'Content-Type': 'application/octet-stream',
  'Cache-Control': 'public, max-age=3600',
  ETag: '"bench"',
  'Last-Modified': 'Wed, 01 Apr 2026 00:00:00 GMT',
}

/** `/bytes/<n>` and `/bytes/<n>/<anything>`. */
function bytesOf(length: number): Readable {
  let left = length
  return new Readable({
    read() {
      const chunk = CHUNK.subarray(0, Math.min(left, CHUNK.length))
      left -= chunk.length
      this.push(chunk.length === 0 ? null : chunk)
    },
  })
}

const server = createServer((request, response) => {
  const length = /^\/bytes\/(\d+)/.exec(request.url ?? '')?.[1]
  if (length === undefined) {
    response.writeHead(200, { ...HEADERS, 'Content-Length': KIB.length })
    response.end(KIB)
    return
  }
  response.writeHead(200, { ...HEADERS, 'Content-Length': length })
  bytesOf(Number(length)).pipe(response)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stdout.write(`Ready. ${typeof address === 'object' ? address?.port : ''}\n`)
})
