/**
 * Passes plain requests (plain-request.ts) on to the lead at little cost: written as they were read, and
 * answered in one piece (docs/adr/0160). A connection of a client has one of its own to the lead.
 */
import type { Socket } from 'node:net'
import type { PlainAnswer } from './express.ts'
import type { PlainRequest } from './plain-request.ts'
import { openLine, type PrivateLine } from './private-line.ts'

const END_OF_HEAD = '\r\n\r\n'
const LENGTH = /\r\ncontent-length: (\d+)/i
const LAST = /\r\nconnection: close/i
const KEPT = /\r\nconnection: keep-alive(\r\nkeep-alive: [^\r]*)?/i

export class PlainPassing {
  readonly #line: PrivateLine
  readonly #lines = new WeakMap<Socket, PlainLine>()

  constructor(line: PrivateLine) {
    this.#line = line
  }

  /** `isLast` is asked when the answer is there. When the lead has cut it off, the client is, too. */
  async pass(request: PlainRequest, isLast: () => boolean): Promise<PlainAnswer> {
    const answer = await this.#lineOf(request.socket).ask(request)
    if (answer.isLast || !isLast()) return answer
    return { ...answer, text: answer.text.replace(KEPT, '\r\nconnection: close'), isLast: true }
  }

  #lineOf(client: Socket): PlainLine {
    const known = this.#lines.get(client)
    if (known?.isOpen) return known
    const line = new PlainLine(openLine(this.#line, client), client)
    this.#lines.set(client, line)
    return line
  }
}

class PlainLine {
  readonly #socket: Socket
  #received: Buffer | undefined
  #answer: ((answer: PlainAnswer) => void) | undefined

  constructor(socket: Socket, client: Socket) {
    this.#socket = socket
    const end = () => socket.destroy()
    client.once('close', end)
    socket.on('data', (chunk: Buffer) => this.#read(chunk)).on('error', () => undefined)
    socket.once('close', () => {
      client.off('close', end)
      if (this.#answer === undefined) return
      // Cut off by the lead: the client gets as much as it would have got there.
      if (this.#received !== undefined) client.write(this.#received)
      client.destroySoon()
    })
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed && this.#socket.writable
  }

  /** Never fulfilled when the connection ends without an answer. */
  ask({ method, url, headers, body }: PlainRequest): Promise<PlainAnswer> {
    let head = `${method} ${url} HTTP/1.1\r\n`
    for (const name in headers) head += `${name}: ${headers[name]}\r\n`
    const bytes = Buffer.from(`${head}\r\n`, 'latin1')
    this.#socket.write(body === undefined ? bytes : Buffer.concat([bytes, body]))
    return new Promise((resolve) => {
      this.#answer = resolve
    })
  }

  #read(chunk: Buffer): void {
    const all = this.#received === undefined ? chunk : Buffer.concat([this.#received, chunk])
    this.#received = all
    const end = all.indexOf(END_OF_HEAD, 0, 'latin1')
    if (end < 0) return
    const head = all.toString('latin1', 0, end)
    const length = LENGTH.exec(head)?.[1]
    // What is plain to ask is plain to answer, with its length first; anything else would be misread.
    if (length === undefined) this.#socket.destroy()
    const size = end + END_OF_HEAD.length + Number(length)
    // Also for what is no number.
    if (!(all.length >= size)) return
    this.#received = undefined
    const answer = this.#answer
    this.#answer = undefined
    // As bytes: what they mean is known to the client.
    answer?.({ text: all.toString('latin1', 0, size), encoding: 'latin1', isLast: LAST.test(head) })
  }
}
