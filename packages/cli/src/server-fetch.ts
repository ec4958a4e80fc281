/**
 * `fetch` by Node's own modules for HTTP: to load the platform's takes longer than all the rest of a command, and it
 * cannot be given a CA.
 */
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { createRequire } from 'node:module'
import { Readable } from 'node:stream'
import type { Fetch } from '@kumoi/client'

const require = createRequire(import.meta.url)

/** Loaded when they are needed, and not by `import`, which would read every export and so load the platform's fetch. */
const modules = {
  http: (): typeof import('node:http') => require('node:http'),
  https: (): typeof import('node:https') => require('node:https'),
  tls: (): typeof import('node:tls') => require('node:tls'),
}

/** A host that does not answer at all is given up after this. */
const CONNECT_MS = 10_000

/**
 * With a CA, the servers at `addresses` are verified by it alone, as curl does with --cacert; other hosts,
 * as for a download, by either.
 */
export function serverFetch(addresses: readonly string[], ca: string | undefined): Fetch {
  const origins = addresses.map((address) => new URL(address).origin)
  return async (url, init) => {
    const { request } = modules[url.startsWith('https:') ? 'https' : 'http']()
    const options: RequestOptions = {
      method: init.method ?? 'GET',
      // The client gives them as an object with one text for each name.
      headers: init.headers as Readonly<Record<string, string>>,
      ...(init.signal && { signal: init.signal }),
      ...(ca !== undefined && {
        ca: origins.includes(new URL(url).origin) ? ca : besides(ca),
      }),
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(url, options, (incoming) => resolve(answerOf(incoming)))
      outgoing.once('error', reject)
      limitConnecting(outgoing)
      sendBody(outgoing, init.body)
    })
  }
}

function besides(ca: string): string[] {
  return [...modules.tls().rootCertificates, ca]
}

function limitConnecting(outgoing: ClientRequest): void {
  outgoing.setTimeout(CONNECT_MS, () => {
    outgoing.destroy(Object.assign(new Error('No connection was made.'), { code: 'ETIMEDOUT' }))
  })
  const unlimited = () => outgoing.setTimeout(0)
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', unlimited)
    else unlimited()
  })
}

/** The client sends a text, or a file as a stream. */
function sendBody(outgoing: ClientRequest, body: RequestInit['body']): void {
  if (body === undefined || body === null || typeof body === 'string') {
    outgoing.end(body ?? undefined)
    return
  }
  // The two declarations of a web stream, of the platform and of Node, are of the same thing.
  const file = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0])
  file.once('error', (error) => outgoing.destroy(error)).pipe(outgoing)
}

/** As much of a response as the client reads; the class of the platform would load all of its fetch. */
function answerOf(incoming: IncomingMessage): Response {
  const { statusCode: status = 0, statusMessage: statusText = '' } = incoming
  const answer = {
    ...{ ok: status >= 200 && status < 300, status, statusText },
    headers: { get: (name: string) => incoming.headers[name.toLowerCase()]?.toString() ?? null },
    async text() {
      const chunks: Buffer[] = []
      for await (const chunk of incoming) chunks.push(chunk)
      return Buffer.concat(chunks).toString()
    },
    get body() {
      return Readable.toWeb(incoming)
    },
  }
  return answer as unknown as Response
}
