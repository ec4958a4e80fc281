/** A real HTTP server that webhooks are sent to, in the hands of a test. */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly status: number
}

export class Receiver {
  readonly received: Received[] = []
  /** The status of the next answer, by the number of the call from 1; 0 breaks the connection. */
  answer: (call: number) => number = () => 204
  #server: Server | undefined
  #port = 0

  static async open(t: Pick<TestContext, 'after'>): Promise<Receiver> {
    const receiver = new Receiver()
    await receiver.start()
    t.after(() => receiver.die())
    return receiver
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`
  }

  /** Those that were answered with success, as messages. */
  get messages() {
    return this.received
      .filter(({ status }) => status >= 200 && status < 300)
      .map(({ body }) => JSON.parse(body))
  }

  /** At the same port as before, if there was one. */
  async start(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => {
        const status = this.answer(this.received.length + 1)
        const body = Buffer.concat(chunks).toString()
        this.received.push({ headers: request.headers, body, status })
        if (status === 0) request.socket.destroy()
        else response.writeHead(status, { location: this.url }).end()
      })
    })
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
  }

  async die(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    await new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}
