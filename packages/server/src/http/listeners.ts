/** The servers that listen: by TLS or without it, with what Node leaves to be said. */
import type { RequestListener, Server, ServerOptions } from 'node:http'
import { Server as NetServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { pause } from '../kernel/clock.ts'
import { http, https } from '../kernel/node-http.ts'
import type { Random } from '../kernel/random.ts'
import { KEEP_ALIVE_SECONDS } from './answers.ts'
import { Express, type TakePlain } from './express.ts'
import { answerBrokenRequest, plainHttpBody } from './failures.ts'
import { refusePlainHttp } from './tls/tls-port.ts'

const SETTINGS: ServerOptions = {
  /** From the first byte of a request to its last; large files go by another door. */
  requestTimeout: 300_000,
  keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
  /** The edge answers readably when it is missing. */
  requireHostHeader: false,
}

export interface Tls {
  readonly cert: string
  readonly key: string
  /** Given to several processes, so that each can go on with a session that another began. */
  readonly ticketKeys?: Buffer
}

export interface ListenerOptions {
  /** Without it the server speaks plain HTTP. */
  readonly tls: Tls | undefined
  readonly listener: RequestListener
  readonly takePlain: TakePlain
  readonly random: Random
  /** Connections that are idle for long are kept. */
  readonly keepsIdle?: boolean
}

export function newListener(options: ListenerOptions): Server {
  const { tls, listener, takePlain, random, keepsIdle } = options
  const express = new Express(takePlain, keepsIdle ? undefined : KEEP_ALIVE_SECONDS * 1000)
  const server =
    tls === undefined
      ? http.createServer(SETTINGS, listener)
      : newTlsListener(tls, listener, random, express)
  if (tls === undefined) express.attach(server, 'connection')
  closeIdle.set(server, () => express.closeIdle())
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, random))
  return server
}

/** Ends connections that Node does not know of and that have nothing under way. */
const closeIdle = new WeakMap<Server, () => void>()
/** Ends connections that have not said yet what they are. */
const closePending = new WeakMap<Server, () => void>()

function newTlsListener(
  tls: Tls,
  listener: RequestListener,
  random: Random,
  express: Express,
): Server {
  const { cert, key, ticketKeys } = tls
  // Node's own context is made from the arguments of the process.
  const tickets = ticketKeys === undefined ? {} : { ticketKeys, sessionIdContext: 'kumoi' }
  const server = https.createServer({ ...SETTINGS, cert, key, ...tickets }, listener)
  server.on('secureConnection', neverPause)
  express.attach(server, 'secureConnection')
  closePending.set(
    server,
    refusePlainHttp(server, (head) => plainHttpBody(head, random)),
  )
  return server
}

/** Far more than any answer; what one connection may have waiting to be sent. */
const OUTGOING_MAX_BYTES = 16 * 1024 * 1024

/**
 * When more than the high-water mark is still going out as the next request comes in, Node pauses its
 * parser; over TLS the body that follows is then parsed while it is paused, and a good request is taken
 * for a broken one (HPE_PAUSED, seen with Node 24.21). So the mark is put where no answer reaches it.
 * There is no public way to set it on the sockets of a TLS server.
 */
function neverPause(socket: TLSSocket): void {
  const { _writableState: state } = socket as unknown as {
    readonly _writableState?: { highWaterMark: number }
  }
  if (state !== undefined) state.highWaterMark = OUTGOING_MAX_BYTES
}

/** Answers with the port, which the system has chosen when 0 was asked for. */
export function listenOn(server: Server, host: string, port: number): Promise<number> {
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

/** Fulfilled when the last connection of a server has ended that takes no more of them. */
const ended = new WeakMap<Server, Promise<void>>()

/** No new connection is taken; those that are there go on as before. */
export async function stopTaking(server: Server): Promise<void> {
  if (!server.listening) return
  // Connections that have come are taken first: those that wait while a socket is closed are reset.
  await nextTurn()
  const end = new Promise<void>((resolve) => {
    // Not that of `node:http`, which cuts idle connections at once.
    NetServer.prototype.close.call(server, () => resolve())
  })
  ended.set(server, end)
}

/**
 * Requests under way are answered; no new connection is taken. Clients that keep a connection learn from
 * their next answer that it ends; for so long those are spared that have nothing under way, since a request
 * that crosses the end of its connection is lost.
 */
export async function closeListener(server: Server, graceMs: number): Promise<void> {
  await stopTaking(server)
  const closed = ended.get(server)
  if (closed === undefined) return
  if (graceMs > 0) await Promise.race([closed, pause(graceMs)])
  // Of those that seem idle some may have sent something by now.
  await nextTurn()
  closePending.get(server)?.()
  closeIdle.get(server)?.()
  server.close()
  await closed
}

/** After all that has arrived was looked at. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** A sentence for the person who starts the server. */
function cannotListen(host: string, port: number, error: unknown): Error {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new Error(`Port ${port} on ${host} is in use by another program.`)
  if (code === 'EACCES') return new Error(`Port ${port} on ${host} is not ours to open.`)
  return new Error(`Cannot listen on ${host}, port ${port}: ${code ?? error}.`)
}
