/** A websocket client of another make than the server's: the one that is built into Node. */
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'

const PATIENCE_MS = 20_000

export class Client {
  readonly texts: string[] = []
  closed: { readonly code: number; readonly reason: string } | undefined
  readonly #socket: WebSocket

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => this.texts.push(String(data)))
    socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason }
    })
  }

  /** Open, or closed because it was refused. */
  static async open(
    t: Pick<TestContext, 'after'>,
    url: string,
    headers: Record<string, string> = {},
  ): Promise<Client> {
    // The standard has no headers; this client takes them in the place of protocols.
    const socket = new WebSocket(url, { headers } as unknown as string[])
    const client = new Client(socket)
    t.after(() => socket.close())
    await client.until(() => socket.readyState === WebSocket.OPEN || client.closed !== undefined)
    return client
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  get messages(): any[] {
    return this.texts.map((text) => JSON.parse(text))
  }

  send(data: string | Uint8Array<ArrayBuffer>): void {
    this.#socket.send(data)
  }

  close(): void {
    this.#socket.close()
  }

  async until(isSo: () => boolean): Promise<void> {
    for (let waited = 0; !isSo(); waited += 5) {
      if (waited > PATIENCE_MS) throw new Error(`It has not come; there is: ${this.texts.length}`)
      await sleep(5)
    }
  }

  got(count: number): Promise<void> {
    return this.until(() => this.texts.length >= count)
  }
}
