/**
 * Keeps plain HTTP off the TLS port. Without this, someone who types http:// for https:// sees a
 * connection that breaks for no visible reason. Here they get a readable 403, and nothing that
 * came in the clear is ever served.
 *
 * The first octet decides: every TLS connection begins with a handshake record, type 0x16. The
 * octets read are put back before Node's own listeners get the socket; TLSSocket takes them from
 * the buffer first.
 */

import type { Server } from 'node:https'
import type { Socket } from 'node:net'

export const MAX_HEAD_BYTES = 8192
export const SILENCE_MS = 10_000

/** How long the rest of a refused request may still be coming in. */
const LINGER_MS = 2_000

/**
 * The time limits of a socket begin anew with every piece that arrives. This one ends a client
 * that drips a request octet by octet to hold the socket.
 */
const MAX_PIECES = 64

const TLS_HANDSHAKE = 0x16

type Listener = (socket: Socket) => void

/** Destroys the sockets that no HTTP server knows of yet, so that closing the server can end. */
export type ClosePending = () => void

/** `answer` gets the head of the refused request, as far as it came, and returns a JSON body. */
export function refusePlainHttp(server: Server, answer: (head: string) => string): ClosePending {
  const pending = new Map<string, Socket>()
  // The listeners of 'connection' take a socket and are bound to the server; Node's type for them
  // says no more than Function.
  const listeners = server.rawListeners('connection') as Listener[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    pending.set(name, socket)
    socket.once('close', () => {
      if (pending.get(name) === socket) {
        pending.delete(name)
      }
    })
    peek(socket, answer, () => {
      for (const listener of listeners) {
        listener.call(server, socket)
      }
    })
  })
  // A handshake that never ends also holds up closing, and Node waits two minutes for it. Only
  // after it does the HTTP server know the connection and close it itself.
  server.on('secureConnection', (socket) => pending.delete(nameOf(socket)))
  return () => {
    for (const socket of pending.values()) {
      socket.destroy()
    }
  }
}

/** The TLS socket is another object than the one below it, but both have the same two ends. */
function nameOf(socket: Socket): string {
  const { remoteAddress, remotePort, localAddress, localPort } = socket
  return [remoteAddress, remotePort, localAddress, localPort].join(' ')
}

/** Reads until it is clear what the client speaks; calls `pass` for TLS and refuses the rest. */
function peek(socket: Socket, answer: (head: string) => string, pass: () => void): void {
  let received: Buffer = Buffer.alloc(0)
  let pieces = 0

  const stop = () => {
    socket.off('readable', onReadable).off('end', onStop).off('timeout', onStop)
    socket.setTimeout(0)
  }
  const onStop = () => {
    stop()
    refuse(socket, received, answer)
  }
  const onReadable = () => {
    // Null when the client has shut down its side. Then 'end' follows, and the answer may still be
    // given there, before Node shuts down ours.
    const piece: Buffer | null = socket.read()
    if (piece === null) {
      return
    }
    if (received.length === 0 && piece[0] === TLS_HANDSHAKE) {
      stop()
      socket.unshift(piece)
      pass()
      return
    }
    received = Buffer.concat([received, piece])
    pieces += 1
    const isEnough = received.length >= MAX_HEAD_BYTES || pieces >= MAX_PIECES
    if (isEnough || !isHttp(received) || headOf(received).isWhole) {
      onStop()
    }
  }
  // A reset by the client is its own affair; 'close' follows and does the cleaning up. This stays
  // on the socket also when it is passed on.
  socket.on('error', () => {})
  socket.on('readable', onReadable).once('end', onStop).once('timeout', onStop)
  socket.setTimeout(SILENCE_MS)
}

/** Every method begins with a letter, and no other protocol is worth an answer in HTTP. */
function isHttp(received: Buffer): boolean {
  return /^[A-Za-z]/.test(received.toString('latin1', 0, 1))
}

function headOf(received: Buffer): { readonly text: string; readonly isWhole: boolean } {
  const text = received.toString('latin1', 0, MAX_HEAD_BYTES)
  const end = /\r?\n\r?\n/.exec(text)
  return end === null ? { text, isWhole: false } : { text: text.slice(0, end.index), isWhole: true }
}

function refuse(socket: Socket, received: Buffer, answer: (head: string) => string): void {
  if (!isHttp(received)) {
    socket.destroy()
    return
  }
  const head = headOf(received).text
  socket.end(response(head, answer(head)))
  linger(socket)
}

function response(head: string, body: string): string {
  const lines = [
    'HTTP/1.1 403 Forbidden',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    head.startsWith('HEAD ') ? '' : body,
  ]
  return lines.join('\r\n')
}

/**
 * Closing a socket with unread data in it resets the connection, and the reset can overtake the
 * answer. So the rest of the request is read and dropped, within limits.
 */
function linger(socket: Socket): void {
  let pieces = 0
  socket.on('data', () => {
    pieces += 1
    if (pieces >= MAX_PIECES) {
      socket.destroy()
    }
  })
  socket.once('timeout', () => socket.destroy())
  socket.setTimeout(LINGER_MS)
}
