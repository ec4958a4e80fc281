/**
 * The short way through the edge (docs/adr/0169). Most requests come whole in one piece and are answered in
 * one piece; those are read from the socket and answered on it here, at half of the cost of Node's own HTTP
 * server. At the first request that is anything else the connection becomes Node's, for good.
 */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { every } from '../kernel/clock.ts'
import { PlainReader, type PlainRequest } from './plain-request.ts'
import { atEndOfTurn } from './turn.ts'

/** An answer as it goes over the wire. */
export interface PlainAnswer {
  readonly text: string
  readonly encoding: 'latin1' | 'utf8'
  readonly isLast: boolean
}

/** Answers a request; undefined when it is none for the short way, and nothing has happened yet. Never rejects. */
export type TakePlain = (request: PlainRequest) => Promise<PlainAnswer> | undefined

type Listener = (socket: Socket) => void

/** Idle connections are looked for so often in the time that they may be idle. */
const LOOKS = 12

/** The connections of one server that are still on the short way. */
export class Express {
  readonly #take: TakePlain
  readonly #idleMs: number | undefined
  readonly #connections = new Set<PlainConnection>()

  /** Without `idleMs` connections are ended by the other side alone. */
  constructor(take: TakePlain, idleMs: number | undefined) {
    this.#take = take
    this.#idleMs = idleMs
  }

  /** `event` is that by which the server learns of a connection that HTTP can be spoken on. */
  attach(server: Server, event: 'connection' | 'secureConnection'): void {
    // Node's type for listeners says no more than Function; these take a socket.
    const listeners = server.rawListeners(event) as Listener[]
    server.removeAllListeners(event)
    if (this.#idleMs !== undefined) this.#lookForIdle(server, this.#idleMs)
    const pass = (socket: Socket) => {
      for (const listener of listeners) listener.call(server, socket)
    }
    server.on(event, (socket: Socket) => {
      const connection = new PlainConnection(socket, this.#take, (rest) => {
        this.#connections.delete(connection)
        if (rest === undefined) return
        pass(socket)
        giveBack(socket, rest)
      })
      this.#connections.add(connection)
    })
  }

  #lookForIdle(server: Server, idleMs: number): void {
    // A timer for each connection would be put off with each request.
    const looking = every(idleMs / LOOKS, () => {
      for (const connection of this.#connections) connection.grow(LOOKS)
    })
    server.once('close', () => looking.cancel())
  }

  /** Those with a request under way end after its answer, which says so. */
  closeIdle(): void {
    for (const connection of this.#connections) connection.closeIfIdle()
  }
}

class PlainConnection {
  readonly #socket: Socket
  readonly #take: TakePlain
  readonly #left: (rest: Buffer | undefined) => void
  readonly #reader: PlainReader
  /** What has come and was not served yet. */
  #waiting: Buffer | undefined
  /** A request is under way, or what came waits to be served. */
  #isBusy = false
  /** How often it was looked at since something came. */
  #age = 0
  /** The client has said all that it will say. */
  #hasEnded = false

  /** `left` is told what is not for this way, or nothing when the connection has ended. */
  constructor(socket: Socket, take: TakePlain, left: (rest: Buffer | undefined) => void) {
    this.#socket = socket
    this.#take = take
    this.#left = left
    this.#reader = new PlainReader(socket)
    socket.on('data', this.#onData).on('end', this.#onEnd).on('drain', this.#onDrain)
    socket.on('error', ignore).on('close', this.#onClose)
  }

  closeIfIdle(): void {
    if (!this.#isBusy) this.#socket.destroy()
  }

  /** Ends it when nothing has come since it was looked at for so many times. */
  grow(most: number): void {
    this.#age += 1
    if (this.#age > most) this.closeIfIdle()
  }

  readonly #onData = (bytes: Buffer): void => {
    this.#age = 0
    if (!this.#isBusy) {
      this.#isBusy = true
      this.#waiting = bytes
      atEndOfTurn(this.#serve)
      return
    }
    this.#waiting = this.#waiting === undefined ? bytes : Buffer.concat([this.#waiting, bytes])
    // Little is kept; the rest waits at the client.
    this.#socket.pause()
  }

  /** What has come, up to the end of its first request. */
  readonly #serve = (): void => {
    const bytes = this.#waiting
    if (bytes === undefined) return
    const request = this.#reader.read(bytes)
    const answering = request && this.#take(request)
    if (answering === undefined) {
      this.#passOn(bytes)
      return
    }
    void answering.then(this.#onAnswer)
    if (request !== undefined && request.size < bytes.length) {
      this.#waiting = bytes.subarray(request.size)
      this.#socket.pause()
      return
    }
    this.#waiting = undefined
    if (this.#socket.isPaused()) this.#socket.resume()
  }

  readonly #onAnswer = ({ text, encoding, isLast }: PlainAnswer): void => {
    if (isLast) {
      this.#socket.end(text, encoding)
      return
    }
    if (this.#socket.write(text, encoding)) this.#next()
  }

  /** The client reads again: before that it gets no further answers to keep for it. */
  readonly #onDrain = (): void => {
    if (this.#isBusy) this.#next()
  }

  #next(): void {
    this.#age = 0
    if (this.#waiting !== undefined) {
      this.#serve()
      return
    }
    this.#isBusy = false
    if (this.#hasEnded) this.#socket.end()
  }

  /** Half closed by the client, which still wants the answer that is under way. */
  readonly #onEnd = (): void => {
    this.#hasEnded = true
    if (!this.#isBusy) this.#socket.end()
  }

  readonly #onClose = (): void => this.#left(undefined)

  #passOn(bytes: Buffer): void {
    const socket = this.#socket
    if (socket.destroyed) return
    socket.pause()
    socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain)
    socket.off('error', ignore).off('close', this.#onClose)
    // In one piece: of several, Node may take what comes next before the last of them.
    const kept: Buffer | null = socket.read()
    this.#left(kept === null ? bytes : Buffer.concat([bytes, kept]))
  }
}

/** So that who listens to the socket now gets it as if it came just then. */
function giveBack(socket: Socket, bytes: Buffer): void {
  if (socket.readableEnded) {
    // It can take nothing back any more, so its listeners are told again.
    socket.emit('data', bytes)
    socket.emit('end')
    return
  }
  socket.unshift(bytes)
  socket.resume()
}

/** A reset by the client is its own affair; 'close' follows. */
function ignore(): void {}
