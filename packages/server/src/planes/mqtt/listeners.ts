/** The sockets: by TLS for everybody, and plain for programs of this machine. */
import { createServer as createPlain, type Server, type Socket } from 'node:net'
import { createServer as createSecure } from 'node:tls'
import type { ServedCertificate } from '../../kernel/served-certificate.ts'
import { limitPackets } from './packet-limit.ts'

export interface ListenOptions {
  readonly host: string
  /** By TLS; undefined for none, 0 for one that the system chooses. */
  readonly port: number | undefined
  readonly tls: ServedCertificate | undefined
  /** On loopback alone. */
  readonly plainPort: number | undefined
}

export interface Ports {
  readonly port: number | undefined
  readonly plainPort: number | undefined
}

/** Of all accounts, with those that have not shown a secret yet. */
const CONNECTIONS_MAX = 20_000
const HANDSHAKE_MS = 30_000
const TCP_KEEP_ALIVE_MS = 60_000

export class Listeners {
  readonly #onConnection: (socket: Socket) => void
  readonly #packetMax: number
  readonly #servers: Server[] = []
  readonly #sockets = new Set<Socket>()

  constructor(onConnection: (socket: Socket) => void, packetMax: number) {
    this.#onConnection = onConnection
    this.#packetMax = packetMax
  }

  async listen({ host, port, tls, plainPort }: ListenOptions): Promise<Ports> {
    const open = (socket: Socket) => this.#open(socket)
    return {
      port: port === undefined ? undefined : await this.#start(secureServer(tls, open), host, port),
      plainPort:
        plainPort === undefined
          ? undefined
          : await this.#start(createPlain(open), '127.0.0.1', plainPort),
    }
  }

  /** No new connections; fulfilled when the last one is gone. */
  async close(): Promise<void> {
    const ends = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)))
    await Promise.all(ends)
  }

  destroyRest(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #open(socket: Socket): void {
    this.#sockets.add(socket)
    socket.once('close', () => this.#sockets.delete(socket))
    // Notices a device that is gone without a word and has asked for no keep-alive of MQTT.
    socket.setKeepAlive(true, TCP_KEEP_ALIVE_MS)
    socket.setNoDelay(true)
    limitPackets(socket, this.#packetMax)
    this.#onConnection(socket)
  }

  #start(server: Server, host: string, port: number): Promise<number> {
    server.maxConnections = CONNECTIONS_MAX
    // A handshake that fails is the client's affair.
    server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
    return new Promise((resolve, reject) => {
      const onError = (error: Error) => {
        reject(new Error(`Cannot listen for MQTT on ${host}, port ${port}: ${error.message}.`))
      }
      server.once('error', onError)
      server.listen(port, host, () => {
        server.off('error', onError)
        this.#servers.push(server)
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  }
}

function secureServer(tls: ServedCertificate | undefined, open: (socket: Socket) => void): Server {
  const server = createSecure({ ...tls?.tls, handshakeTimeout: HANDSHAKE_MS }, open)
  if (tls !== undefined) {
    server.once(
      'close',
      tls.onReplace((replaced) => server.setSecureContext(replaced)),
    )
  }
  return server
}
