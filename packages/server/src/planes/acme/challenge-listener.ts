/** The port where an authority asks whether a name leads here (http-01). It serves nothing else. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { http } from '../../kernel/node-http.ts'
import { challengeToken } from '../../services/certificates/public.ts'

const SETTINGS = { maxHeaderSize: 8192, requestTimeout: 10_000, headersTimeout: 10_000 }
const CONNECTIONS_MAX = 1000

export type FindAnswer = (token: string) => Promise<string | undefined>

export class ChallengeListener {
  readonly #server: Server

  constructor(findAnswer: FindAnswer) {
    this.#server = http.createServer(SETTINGS, (request, response) => {
      answer(request, response, findAnswer).catch(() => response.destroy())
    })
    this.#server.maxConnections = CONNECTIONS_MAX
  }

  /** Resolves with the port, which the system chooses when it is 0. */
  listen(host: string, port: number): Promise<number> {
    const server = this.#server
    return new Promise((resolve, reject) => {
      server.once('error', (error) => {
        reject(new Error(`Cannot listen for ACME on ${host}, port ${port}: ${error.message}.`))
      })
      server.listen(port, host, () => {
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  }

  close(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }
}

async function answer(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  findAnswer: FindAnswer,
): Promise<void> {
  const token = method === 'GET' ? challengeToken(url) : undefined
  const found = token && (await findAnswer(token))
  response.writeHead(found ? 200 : 404, { 'content-type': 'text/plain', connection: 'close' })
  response.end(found ?? 'There is nothing here but answers to ACME; use https.\n')
}
