/**
 * The way from a front to its lead (docs/adr/0160): a socket in a folder that only this user may open. Each
 * connection on it begins with a line that says for whom it speaks, before any request. So nothing that a
 * client sends can be taken for that line, and the lead sees the connection as if the client had come itself.
 */
import { timingSafeEqual } from 'node:crypto'
import type { Server } from 'node:http'
import { connect, type Socket } from 'node:net'

export interface PrivateLine {
  readonly path: string
  /** Of this run alone. */
  readonly secret: string
}

interface Peer {
  readonly secret: string
  readonly address: string
  readonly isTls: boolean
}

/** More than the line ever takes. */
const LINE_MAX_BYTES = 1024

/** A connection to the lead that speaks for this client. */
export function openLine({ path, secret }: PrivateLine, client: Socket): Socket {
  const { remoteAddress: address = '' } = client
  const peer: Peer = { secret, address, isTls: 'encrypted' in client }
  const socket = connect(path)
  socket.write(`${JSON.stringify(peer)}\n`)
  return socket
}

type Listener = (socket: Socket) => void

/** From now on the server takes only connections that begin with the line. */
export function takeLines(server: Server, secret: string): void {
  // The listeners of 'connection' take a socket; Node's type for them says no more than Function.
  const listeners = server.rawListeners('connection') as Listener[]
  server.removeAllListeners('connection')
  // Node shall not end any of them by itself, either.
  Object.assign(server, { keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0 })
  server.on('connection', (socket: Socket) => {
    readLine(socket, (line) => {
      const peer = peerOf(line, secret)
      if (peer === undefined) {
        socket.destroy()
        return
      }
      Object.defineProperty(socket, 'remoteAddress', { value: peer.address })
      if (peer.isTls) Object.defineProperty(socket, 'encrypted', { value: true })
      for (const listener of listeners) listener.call(server, socket)
    })
  })
}

function readLine(socket: Socket, take: (line: string) => void): void {
  let received: Buffer = Buffer.alloc(0)
  const onReadable = () => {
    const piece: Buffer | null = socket.read()
    if (piece === null) return
    received = Buffer.concat([received, piece])
    const end = received.indexOf('\n')
    if (end < 0 && received.length < LINE_MAX_BYTES) return
    socket.off('readable', onReadable)
    const rest = received.subarray(end + 1)
    if (end >= 0 && rest.length > 0) socket.unshift(rest)
    take(received.toString('utf8', 0, Math.max(0, end)))
  }
  // What goes wrong with a connection is heard of by its 'close'.
  socket.on('error', () => undefined).on('readable', onReadable)
}

function peerOf(line: string, secret: string): Peer | undefined {
  try {
    const peer: Peer = JSON.parse(line)
    return isSame(peer.secret, secret) ? peer : undefined
  } catch {
    return undefined
  }
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
