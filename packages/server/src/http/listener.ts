/** A server that listens, with TLS or without it: limits, broken requests, and a drain that ends. */
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import type { TLSSocket } from 'node:tls'
import { after, pause, yieldToEventLoop } from '../kernel/clock.ts'
import { http, https } from '../kernel/node-http.ts'
import type { Random } from '../kernel/random.ts'
import type { ServedCertificate } from '../kernel/served-certificate.ts'
import { MethodNotAllowed, parseErrorResponse, plainHttpBody, rawFailure } from './failure.ts'
import { refusePlainHttp } from './plain-http.ts'

const SETTINGS = {
  /** From the first byte of a request to its last. */
  requestTimeout: 300_000,
  /** Longer than most clients and proxies keep a connection, so that we do not close one in use. */
  keepAliveTimeout: 72_000,
  /** The server answers readably when it is missing. */
  requireHostHeader: false,
}

/** Requests that take longer than this after the start of a drain are cut off. */
const DRAIN_MS = 8000

/** While so many requests of a connection wait for the one before them, no more are read from it. */
const WAITING_MAX = 8

const METHODS = ['GET', 'POST', 'PUT', 'DELETE']

interface Connection {
  /** The responses that are under way, in the order of their requests. */
  readonly responses: Set<ServerResponse>
  /** Serve the requests behind the first. */
  readonly waiting: (() => void)[]
}

export interface ListenerOptions {
  /** Without it the server speaks plain HTTP. */
  readonly tls: ServedCertificate | undefined
  readonly random: Random
  readonly onRequest: RequestListener
  /** For an `Expect` that is not `100-continue`; such a request is not served. */
  readonly onExpectation?: RequestListener
  readonly onUpgrade?:
    | ((message: IncomingMessage, socket: Duplex, head: Buffer) => void)
    | undefined
}

export class Listener {
  readonly #server: Server
  readonly #random: Random
  readonly #connections = new Map<Duplex, Connection>()
  /** Connections that speak another protocol by now. */
  readonly #upgraded = new Set<Duplex>()
  /** Destroys connections that have not finished their TLS handshake. */
  readonly #closePending: () => void = () => undefined

  constructor({ tls, random, onRequest, onExpectation, onUpgrade }: ListenerOptions) {
    this.#random = random
    const onConnection = (socket: Duplex) => this.#track(socket)
    if (tls === undefined) this.#server = http.createServer(SETTINGS).on('connection', onConnection)
    else {
      const secure = https.createServer({ ...SETTINGS, ...tls.tls })
      secure.once(
        'close',
        tls.onReplace((replaced) => secure.setSecureContext(replaced)),
      )
      secure.on('secureConnection', raiseHighWaterMark).on('secureConnection', onConnection)
      this.#closePending = refusePlainHttp(secure, (head) => plainHttpBody(head, random))
      this.#server = secure
    }
    const server = this.#server
    const inOrder = (serve: RequestListener): RequestListener => {
      return (message, response) => this.#enqueue(message, response, serve)
    }
    server.on('request', inOrder(onRequest))
    if (onExpectation !== undefined) server.on('checkExpectation', inOrder(onExpectation))
    server.on('clientError', (error, socket) => this.#onClientError(error, socket))
    // Nobody gets a tunnel. Without a listener Node closes the connection, and the client never learns why.
    server.on('connect', (_message: IncomingMessage, socket: Duplex) => {
      socket
        .on('error', () => socket.destroy())
        .end(rawFailure(new MethodNotAllowed(METHODS), random))
    })
    if (onUpgrade === undefined) return
    server.on('upgrade', (message: IncomingMessage, socket: Duplex, head: Buffer) => {
      this.#upgraded.add(socket)
      socket.once('close', () => this.#upgraded.delete(socket))
      onUpgrade(message, socket, head)
    })
  }

  /** Resolves with the port, which the system chooses when it is 0. */
  listen(host: string, port: number): Promise<number> {
    const server = this.#server
    return new Promise((resolve, reject) => {
      const onError = (error: unknown) => reject(cannotListen(host, port, error))
      server.once('error', onError)
      server.listen(port, host, () => {
        server.off('error', onError)
        const address = server.address()
        resolve(typeof address === 'object' && address !== null ? address.port : 0)
      })
    })
  }

  /**
   * Accepts no new connection and answers the requests under way. For `graceMs` connections without a request
   * are spared: a client learns from its next answer that the connection closes, while a request that crosses
   * the closing of its connection is lost. Connections that are left after `drainMs` are cut off.
   */
  async close(graceMs: number, drainMs = DRAIN_MS, onStopped = () => {}): Promise<void> {
    if (!this.#server.listening) return
    // Connections that wait to be accepted while the socket is closed would be reset.
    await yieldToEventLoop()
    const closed = new Promise<void>((resolve) => {
      // Not that of `node:http`, which closes connections without a request at once.
      NetServer.prototype.close.call(this.#server, () => resolve())
      onStopped()
    })
    if (graceMs > 0) await Promise.race([closed, pause(graceMs)])
    // What has been received by now is served first.
    await yieldToEventLoop()
    this.#closePending()
    // Also those with half a request, which may never become a whole one.
    for (const [socket, { responses }] of this.#connections) {
      if (responses.size === 0 && !this.#upgraded.has(socket)) socket.destroy()
    }
    this.#server.close()
    const alarm = after(drainMs, () => {
      for (const socket of this.#connections.keys()) socket.destroy()
    })
    await closed
    alarm.cancel()
  }

  #track(socket: Duplex): void {
    const connection: Connection = { responses: new Set(), waiting: [] }
    this.#connections.set(socket, connection)
    socket.once('close', () => this.#connections.delete(socket))
    // Node resumes reading with every request that ends.
    socket.on('resume', () => {
      if (connection.waiting.length >= WAITING_MAX) socket.pause()
    })
  }

  /**
   * Pipelined requests are served one after the other, with an iteration of the event loop in between: those of
   * one connection, however many were sent, do not delay other connections.
   */
  #enqueue(message: IncomingMessage, response: ServerResponse, serve: RequestListener): void {
    const { socket } = message
    const connection = this.#connections.get(socket)
    // Closed meanwhile, and the parser has gone on.
    if (connection === undefined) return
    const { responses, waiting } = connection
    responses.add(response)
    response.once('close', () => {
      responses.delete(response)
      if (waiting.length > 0) setImmediate(() => this.#serveNext(socket, connection))
    })
    if (responses.size === 1) serve(message, response)
    else waiting.push(() => serve(message, response))
    if (waiting.length >= WAITING_MAX) socket.pause()
  }

  #serveNext(socket: Duplex, { waiting }: Connection): void {
    // After an answer that closes the connection nothing is carried out.
    if (!socket.writable) return
    waiting.shift()?.()
    if (waiting.length < WAITING_MAX && socket.isPaused()) socket.resume()
  }

  /** Node's parser has refused what was received, or the client took too long. */
  #onClientError(error: Error & { code?: string }, socket: Duplex): void {
    const responses = [...(this.#connections.get(socket)?.responses ?? [])]
    const last = responses.at(-1)
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (last?.req.complete) {
      // The requests before it were whole: they are answered, and then the connection ends.
      last.shouldKeepAlive = false
      last.once('close', () => socket.end())
    } else if (last !== undefined && (responses.length > 1 || last.headersSent)) {
      // A response would become part of one that has begun.
      socket.destroy()
    } else if (socket.writable) socket.end(parseErrorResponse(error.code, this.#random))
    // What was ended before is still being sent.
    else if (!socket.writableEnded) socket.destroy()
  }
}

/** Far more than any answer; what one connection may have waiting to be sent. */
const OUTGOING_MAX_BYTES = 16 * 1024 * 1024

/**
 * When more than the high-water mark is still going out as the next request comes in, Node pauses its
 * parser; over TLS the body that follows is then parsed while it is paused, and a good request is taken
 * for a broken one (HPE_PAUSED, seen with Node 24.21). So the mark is put where no answer reaches it.
 * There is no public way to set it on the sockets of a TLS server.
 */
function raiseHighWaterMark(socket: TLSSocket): void {
  const { _writableState: state } = socket as unknown as {
    readonly _writableState?: { highWaterMark: number }
  }
  if (state !== undefined) state.highWaterMark = OUTGOING_MAX_BYTES
}

/** A sentence for the person who starts the server. */
function cannotListen(host: string, port: number, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use by another program.`)
  if (code === 'EACCES') return new Error(`Port ${port} on ${host} is not ours to open.`)
  return new Error(`Cannot listen on ${host}, port ${port}: ${code ?? error}.`)
}
