/** Stands between a client and a server, and breaks connections where a test wants it. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import type { TestContext } from 'node:test'

export interface TcpProxy {
  readonly port: number
  /** Called with what a client sends; `cut` forwards nothing more, `cut-after` forwards this last piece. */
  onClientData: (bytes: Buffer) => 'pass' | 'cut' | 'cut-after'
  /** New connections are refused while this is true. */
  isClosed: boolean
}

export async function openTcpProxy(
  t: TestContext,
  target: { readonly host: string; readonly port: number },
): Promise<TcpProxy> {
  const sockets = new Set<Socket>()
  const proxy = { port: 0, onClientData: () => 'pass', isClosed: false } as {
    -readonly [Key in keyof TcpProxy]: TcpProxy[Key]
  }
  const listener = createServer((client) => {
    if (proxy.isClosed) return client.destroy()
    const server = connect(target.port, target.host)
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    }
    client.on('data', (bytes: Buffer) => {
      const decision = proxy.onClientData(bytes)
      if (decision !== 'pass') client.destroy()
      if (decision === 'cut') server.destroy()
      else if (decision === 'cut-after') server.end(bytes)
      else server.write(bytes)
    })
    server.on('data', (bytes: Buffer) => client.write(bytes))
    client.on('close', () => server.end())
    server.on('close', () => client.destroy())
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const address = listener.address()
  proxy.port = typeof address === 'object' && address !== null ? address.port : 0
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  return proxy
}
