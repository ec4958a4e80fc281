/** The ports of an edge: HTTP/1.1, and TLS with HTTP/2 and HTTP/1.1 by the sites' certificates. */
import type { Server } from 'node:http'
import type { Http2Server, ServerHttp2Session } from 'node:http2'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { after } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { http, https } from '../../../kernel/node-http.ts'
import type { Certificates } from './certificates.ts'
import { HTTP1_OPTIONS, type Http1Parts, serveHttp1 } from './http1.ts'
import { newHttp2Server } from './http2.ts'

/** Of each port. */
const CONNECTIONS_MAX = 20_000
const HANDSHAKE_MS = 15_000
/** What runs may take so long when the edge stops. */
const FINISH_MS = 5_000

export class Listeners {
  readonly #parts: Http1Parts
  readonly #certificates: Certificates
  readonly #log: Log
  readonly #servers: Server[] = []
  readonly #sessions = new Set<ServerHttp2Session>()
  readonly #sockets = new Set<Socket>()
  #http2: Http2Server | undefined

  constructor(parts: Http1Parts, certificates: Certificates, log: Log) {
    this.#parts = parts
    this.#certificates = certificates
    this.#log = log
  }

  openPlain(host: string, port: number): Promise<number> {
    const server = http.createServer(HTTP1_OPTIONS)
    serveHttp1(server, false, this.#parts)
    return this.#listen(server, host, port)
  }

  async openSecure(host: string, port: number): Promise<number> {
    const http2 = newHttp2Server(this.#parts)
    this.#http2 = http2
    http2.on('session', (session: ServerHttp2Session) => {
      this.#sessions.add(session)
      session.once('close', () => this.#sessions.delete(session))
    })
    const server = https.createServer({
      ...HTTP1_OPTIONS,
      ALPNProtocols: ['h2', 'http/1.1'],
      minVersion: 'TLSv1.2',
      handshakeTimeout: HANDSHAKE_MS,
      SNICallback: (name, done) => {
        this.#certificates.find(name).then(
          (context) => done(context ? null : new Error('There is no site of this name.'), context),
          (error: Error) => {
            this.#log.error({ err: error, host: name }, 'edge could not use a certificate')
            done(error)
          },
        )
      },
    })
    serveHttp1(server, true, this.#parts)
    const [serveOld] = server.listeners('secureConnection')
    server.removeAllListeners('secureConnection')
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol === 'h2') http2.emit('connection', socket)
      else serveOld?.call(server, socket)
    })
    // A handshake that fails is the client's affair.
    server.on('tlsClientError', (_error: Error, socket: Socket) => socket.destroy())
    return this.#listen(server, host, port)
  }

  /** No new connections; what runs may end within seconds. */
  async close(): Promise<void> {
    const ends = this.#servers.map((server) => new Promise((resolve) => server.close(resolve)))
    for (const server of this.#servers) server.closeIdleConnections()
    for (const session of this.#sessions) session.close()
    this.#http2?.close()
    const alarm = after(FINISH_MS, () => {
      for (const socket of this.#sockets) socket.destroy()
    })
    await Promise.all(ends)
    alarm.cancel()
  }

  #listen(server: Server & NetServer, host: string, port: number): Promise<number> {
    server.maxConnections = CONNECTIONS_MAX
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    return new Promise((resolve, reject) => {
      const onError = (error: Error) => {
        reject(new Error(`Cannot listen for the edge on ${host}, port ${port}: ${error.message}.`))
      }
      server.once('error', onError)
      server.listen(port, host, () => {
        server.off('error', onError)
        this.#servers.push(server)
        resolve((server.address() as AddressInfo).port)
      })
    })
  }
}
