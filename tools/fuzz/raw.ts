/** Requests that no HTTP client sends: written byte for byte, each on a connection of its own. */
import { connect } from 'node:net'
import type { Wire } from './call.ts'
import { judgeFailure } from './oracle.ts'
import { HANG_MS } from './target.ts'

export interface RawRequest {
  readonly what: string
  readonly bytes: string
  /** The client has closed before its request was whole: no answer is right, too. */
  readonly isCutOff?: true
  /** How many requests are in it. */
  readonly count?: number
}

const LONG = 20_000

/** Of one request. The last on its connection, so that the server closes it. */
export function rawRequestsOf(wire: Wire): readonly RawRequest[] {
  // A letter for each byte, as all of it is sent.
  const body = Buffer.from(wire.body ?? '').toString('latin1')
  const length = `Content-Length: ${body.length}`
  const chunk = body.length.toString(16)
  const chunked = (text: string) => head(wire, 'Transfer-Encoding: chunked') + text
  const whole = body === '' ? '' : `${chunk}\r\n${body}\r\n`
  const authorization = `Authorization: ${wire.headers.authorization ?? ''}`
  return [
    ...['BREW', 'TRACE', 'PATCH', 'OPTIONS', 'HEAD', 'CONNECT', 'get', '', 'GET\t'].map(
      (method) => ({
        what: `method ${JSON.stringify(method)}`,
        bytes: head({ ...wire, method }, length) + body,
      }),
    ),
    { what: 'two credentials', bytes: head(wire, length, authorization) + body },
    { what: 'two lengths', bytes: head(wire, length, length) + body },
    { what: 'two lengths that differ', bytes: head(wire, length, 'Content-Length: 1') + body },
    {
      what: 'a length and chunks',
      bytes: `${head(wire, length, 'Transfer-Encoding: chunked')}0\r\n\r\n`,
    },
    { what: 'a negative length', bytes: head(wire, 'Content-Length: -1') + body },
    { what: 'chunks', bytes: chunked(`${whole}0\r\n\r\n`) },
    {
      what: 'chunks with extensions and trailers',
      bytes: chunked(`${whole}0;a=b\r\nX-Trailer: a\r\n\r\n`),
    },
    { what: 'a chunk without a size', bytes: chunked(`x\r\n${body}\r\n0\r\n\r\n`) },
    { what: 'a huge chunk size', bytes: chunked(`${'f'.repeat(20)}\r\n${body}\r\n0\r\n\r\n`) },
    { what: 'chunks that break off', bytes: chunked(`${chunk}f\r\n${body}`), isCutOff: true },
    {
      what: 'a body that breaks off',
      bytes: head(wire, 'Content-Length: 99') + body.slice(0, 9),
      isCutOff: true,
    },
    { what: 'a head that breaks off', bytes: head(wire, length).slice(0, -9), isCutOff: true },
    { what: 'a long header', bytes: head(wire, length, `X-A: ${'a'.repeat(LONG)}`) + body },
    {
      what: 'many headers',
      bytes: head(wire, length, ...Array.from({ length: 1900 }, (_, n) => `A${n}: a`)) + body,
    },
    { what: 'a long path', bytes: head({ ...wire, path: `/${'a'.repeat(LONG)}` }, length) + body },
    { what: 'a header with a zero byte', bytes: head(wire, length, 'X-A: a\0b') + body },
    { what: 'a header over two lines', bytes: head(wire, length, 'X-A: a\r\n b') + body },
    { what: 'a space before the colon', bytes: head(wire, length, 'X-A : a') + body },
    { what: 'a header without a name', bytes: head(wire, length, ': a') + body },
    {
      what: 'an absolute address',
      bytes: head({ ...wire, path: `http://x${wire.path}` }, length) + body,
    },
    { what: 'a path of a star', bytes: head({ ...wire, path: '*' }, length) + body },
    {
      what: 'a path with a zero byte',
      bytes: head({ ...wire, path: `${wire.path}\0` }, length) + body,
    },
    { what: 'bare newlines', bytes: (head(wire, length) + body).replaceAll('\r\n', '\n') },
    { what: 'no host, HTTP/1.0', bytes: `${wire.method} ${wire.path} HTTP/1.0\r\n\r\n` },
    { what: 'HTTP/3.0', bytes: `${wire.method} ${wire.path} HTTP/3.0\r\nHost: x\r\n\r\n` },
    { what: 'no version', bytes: `${wire.method} ${wire.path}\r\n\r\n` },
    { what: 'an upgrade to nothing', bytes: head(wire, length, 'Upgrade: nothing') + body },
    { what: 'no HTTP', bytes: '\x16\x03\x01\0\xff\r\n\r\n' },
    {
      what: 'several requests at once',
      bytes: kept(wire, length, body).repeat(4) + head(wire, length) + body,
      count: 5,
    },
  ]
}

function head({ method, path, headers }: Wire, ...more: readonly string[]): string {
  const all = Object.entries({ Host: 'localhost', ...headers, Connection: 'close' })
  const text = [...all.map(([name, value]) => `${name}: ${value}`), ...more].join('\r\n')
  return `${method} ${path} HTTP/1.1\r\n${text}\r\n\r\n`
}

function kept(wire: Wire, length: string, body: string): string {
  return (head(wire, length) + body).replace('Connection: close', 'Connection: keep-alive')
}

export interface RawOutcome {
  readonly statuses: readonly number[]
  readonly text: string
  readonly problem: string | undefined
}

/** Resolves when the server has closed the connection. */
export function sendRaw(origin: string, { bytes, isCutOff }: RawRequest): Promise<RawOutcome> {
  const { hostname, port } = new URL(origin)
  return new Promise((resolve) => {
    let text = ''
    const done = (problem?: string) => {
      socket.destroy()
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, one]) => Number(one))
      resolve({ statuses, text, problem })
    }
    const socket = connect(Number(port), hostname, () => {
      // Only what breaks off is closed: the server may take a closed side for a client that is gone.
      socket.write(bytes, 'latin1', () => isCutOff && socket.end())
    })
    socket.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      // It has no end of its own.
      if (isStream(text)) done()
    })
    socket.setTimeout(HANG_MS, () => done('it hangs'))
    // After an answer, what of the request was not read resets the connection.
    socket.once('error', (error) => done(text === '' ? `no answer: ${error.message}` : undefined))
    socket.once('end', () => done())
  })
}

const isStream = (text: string) => text.includes('text/event-stream')

/** What is wrong with the answers of an operation. */
export function judgeRaw(
  name: string,
  request: RawRequest,
  { statuses, text, problem }: RawOutcome,
): string | undefined {
  if (problem !== undefined && !(request.isCutOff && text === '')) return problem
  if (statuses.length === 0) return request.isCutOff ? undefined : 'the connection is dropped'
  const fault = statuses.find((status) => status >= 500)
  if (fault !== undefined) return `status ${fault}: ${text.slice(0, 500)}`
  // An answer that closes the connection ends the others; a success does not.
  const [first = 0] = statuses
  const count = request.count ?? 1
  if (statuses.length > count) return `${statuses.length} answers to ${count} requests`
  // What follows a stream on its connection waits for its end.
  const expected = isStream(text) ? 1 : count
  if (first < 300 && statuses.length < expected) return `${statuses.length} answers to ${count}`
  if (first < 400 || request.what === 'method "HEAD"') return undefined
  const [top = '', body = ''] = text.split('\r\n\r\n')
  const media = /^content-type: *(.*)$/im.exec(top)?.[1]
  const failure = { status: first, headers: { 'content-type': media }, text: bodyOf(top, body) }
  return judgeFailure(name, { ...failure, problem: undefined })
}

/** The first body of several, without what follows it. */
function bodyOf(top: string, rest: string): string {
  const length = Number(/^content-length: *(\d+)/im.exec(top)?.[1] ?? Number.NaN)
  return Number.isNaN(length) ? rest : Buffer.from(rest).toString('utf8', 0, length)
}

/** To repeat it by hand. */
export function toPrintf(origin: string, { bytes, what }: RawRequest): string {
  const { hostname, port } = new URL(origin)
  const escaped = bytes.replaceAll(/[^ -~]|['\\%]/g, (character) => {
    const code = character.charCodeAt(0)
    return code < 256 ? `\\${code.toString(8).padStart(3, '0')}` : character
  })
  return `printf '${escaped}' | nc ${hostname} ${port}  # ${what}`
}
