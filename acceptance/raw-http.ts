/** Requests written by hand, byte for byte: for what libraries would encode, add or correct. */
import { connect } from 'node:net'
import type { Answer } from './server.ts'

export interface RawRequest {
  /** `GET /path?{"Count":0}`, put on the wire as it is. */
  readonly line: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export async function sendRaw(port: number, request: RawRequest): Promise<Answer> {
  const { line, headers = {}, body = '' } = request
  const head = Object.entries({
    Host: `127.0.0.1:${port}`,
    Connection: 'close',
    ...(body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = await exchange(port, `${line} HTTP/1.1\r\n${head.join('')}\r\n${body}`)
  const [top = '', ...rest] = text.split('\r\n\r\n')
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(top)?.[1]),
    headers: Object.fromEntries(
      top
        .split('\r\n')
        .slice(1)
        .map((entry) => {
          const [name = '', value = ''] = entry.split(/: (.*)/s)
          return [name.toLowerCase(), value]
        }),
    ),
    body: JSON.parse(rest.join('\r\n\r\n') || 'null'),
  }
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk
    })
    socket.once('error', reject).once('end', () => resolve(answer))
  })
}
