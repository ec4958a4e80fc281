/**
 * Passes requests on to the lead, and its answers back, as they come (docs/adr/0160). A connection of a
 * client has one of its own to the lead, so that what follows each other there does so here, too.
 */
import type { Agent, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { http } from '../kernel/node-http.ts'
import type { PlainAnswer } from './express.ts'
import { PlainPassing } from './plain-passing.ts'
import type { PlainRequest } from './plain-request.ts'
import { openLine, type PrivateLine } from './private-line.ts'

/** They are about one connection, of which there are two here. */
const OF_CONNECTION: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'expect', 'te'],
])

export class Passing {
  readonly #line: PrivateLine
  readonly #plain: PlainPassing
  readonly #agents = new WeakMap<Socket, Agent>()

  constructor(line: PrivateLine) {
    this.#line = line
    this.#plain = new PlainPassing(line)
  }

  passPlain(request: PlainRequest, isLast: () => boolean): Promise<PlainAnswer> {
    return this.#plain.pass(request, isLast)
  }

  /** `isLast` is asked when the answer is there: whether the client has to come back on another connection. */
  pass(message: IncomingMessage, response: ServerResponse, isLast: () => boolean): void {
    const { socket: client } = message
    const outgoing = http.request({
      agent: this.#agentOf(client),
      method: message.method,
      path: message.url,
      headers: headersFor(message),
    })
    outgoing.once('response', (answer) => {
      response.sendDate = false
      response.writeHead(answer.statusCode ?? 502, headersOf(answer, isLast()))
      answer.once('close', () => {
        if (answer.complete) return
        // Cut off by the lead: the client gets as much as it would have got there.
        response.flushHeaders()
        client.destroySoon()
      })
      answer.pipe(response)
    })
    outgoing.on('error', () => client.destroy())
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
    message.pipe(outgoing)
  }

  /** The connection leaves HTTP, and the lead decides for what. */
  passUpgrade(message: IncomingMessage, socket: Duplex, head: Buffer): void {
    const lead = openLine(this.#line, message.socket)
    const { method, url, rawHeaders } = message
    lead.write(`${method} ${url} HTTP/1.1\r\n${fieldsOf(rawHeaders)}\r\n`, 'latin1')
    lead.write(head)
    const end = () => {
      lead.destroy()
      socket.destroy()
    }
    lead.once('error', end).once('close', end).pipe(socket)
    socket.once('error', end).once('close', end).pipe(lead)
  }

  #agentOf(client: Socket): Agent {
    const known = this.#agents.get(client)
    if (known !== undefined) return known
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 })
    agent.createConnection = () => openLine(this.#line, client)
    client.once('close', () => agent.destroy())
    this.#agents.set(client, agent)
    return agent
  }
}

/** Names and values in turns, as they came. */
function headersFor({ method, headers, rawHeaders }: IncomingMessage): string[] {
  const fields = withoutConnection(rawHeaders)
  // What HTTP/1.0 allows; everywhere else its absence has been refused.
  if (headers.host === undefined) fields.push('host', '')
  if (headers['transfer-encoding'] !== undefined) fields.push('transfer-encoding', 'chunked')
  else if (headers['content-length'] === undefined && method !== 'GET' && method !== 'HEAD') {
    fields.push('content-length', '0')
  }
  return fields
}

function headersOf({ headers, rawHeaders }: IncomingMessage, isLast: boolean): string[] {
  const fields = withoutConnection(rawHeaders)
  if (isLast || headers.connection === 'close') fields.push('connection', 'close')
  return fields
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  const fields: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = [rawHeaders[at], rawHeaders[at + 1]]
    if (!OF_CONNECTION.has(name.toLowerCase())) fields.push(name, value)
  }
  return fields
}

function fieldsOf(rawHeaders: readonly string[]): string {
  let text = ''
  for (let at = 0; at < rawHeaders.length; at += 2) {
    text += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`
  }
  return text
}
