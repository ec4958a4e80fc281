/**
 * Reads requests in the plainest form of HTTP/1.1: one that has come whole, with each field once and none
 * that changes how the message is read. Whatever else there is goes to Node's parser, so that nothing here
 * has to be lenient, and no message is ever read in two ways.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import type { Head } from './head.ts'

export interface PlainRequest extends Head {
  /** The bytes after the head that belong to it; undefined when there are none. */
  readonly body: Buffer | undefined
  /** How many of the bytes were its own; what follows is the next request. */
  readonly size: number
}

/** As Node's parser has it. */
const HEAD_MAX_BYTES = 16 * 1024
const END_OF_HEAD = '\r\n\r\n'
const REQUEST_LINE = /^(GET|POST|PUT|DELETE) (\/[!"$-~]*) HTTP\/1\.1$/
const FIELD = /^([a-z0-9-]+):[ \t]*([!-~](?:[\t -~]*[!-~])?)?[ \t]*$/i
const LENGTH = /^(0|[1-9]\d{0,6})$/
/** They say how the message is to be read, or what becomes of the connection. */
const NOT_PLAIN: ReadonlySet<string> = new Set([
  ...['transfer-encoding', 'trailer', 'te', 'expect', 'upgrade', 'http2-settings'],
  ...['proxy-connection', 'keep-alive'],
])

/** For the requests of one connection: a client sends the same fields again and again. */
export class PlainReader {
  readonly #socket: Socket
  #fields = ''
  #headers: IncomingHttpHeaders = {}

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Undefined for what is not plain, or not there as a whole. */
  read(bytes: Buffer): PlainRequest | undefined {
    const end = bytes.indexOf(END_OF_HEAD, 0, 'latin1')
    if (end < 0 || end > HEAD_MAX_BYTES) return undefined
    const head = bytes.toString('latin1', 0, end)
    const lineEnd = head.indexOf('\r\n')
    const line = REQUEST_LINE.exec(lineEnd < 0 ? head : head.slice(0, lineEnd))
    const headers = this.#read(lineEnd < 0 ? '' : head.slice(lineEnd + 2))
    if (line === null || headers === undefined) return undefined
    const [, method = '', url = ''] = line
    const bodyAt = end + END_OF_HEAD.length
    const size = bodyAt + Number(headers['content-length'] ?? 0)
    if (size > bytes.length || (size > bodyAt && method === 'GET')) return undefined
    const body = size > bodyAt ? bytes.subarray(bodyAt, size) : undefined
    return { method, url, headers, socket: this.#socket, body, size }
  }

  #read(fields: string): IncomingHttpHeaders | undefined {
    if (fields !== this.#fields) {
      const headers = readFields(fields)
      if (headers === undefined) return undefined
      this.#fields = fields
      this.#headers = headers
    }
    return this.#headers
  }
}

function readFields(text: string): IncomingHttpHeaders | undefined {
  const headers: IncomingHttpHeaders = {}
  if (text === '') return headers
  for (const line of text.split('\r\n')) {
    const field = FIELD.exec(line)
    if (field === null) return undefined
    const name = (field[1] ?? '').toLowerCase()
    const value = field[2] ?? ''
    if (headers[name] !== undefined || NOT_PLAIN.has(name)) return undefined
    if (name === 'content-length' && !LENGTH.test(value)) return undefined
    if (name === 'connection' && value.toLowerCase() !== 'keep-alive') return undefined
    headers[name] = value
  }
  return headers
}
