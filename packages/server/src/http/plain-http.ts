/**
 * Answers plain HTTP on the TLS port with a readable 403. The first byte decides: every TLS connection
 * begins with a handshake record, type 0x16. What was read is put back before Node's listeners get the
 * socket; TLSSocket takes it from the buffer first.
 */
import type { Server } from 'node:https'
import type { Socket } from 'node:net'

export const MAX_HEAD_BYTES = 8192
export const SILENCE_MS = 10_000

/** How long the rest of a refused request may still be coming in. */
const LINGER_MS = 2_000

/** The time limits of a socket begin anew with every chunk; this one ends a client that sends single bytes. */
const MAX_PIECES = 64
const TLS_HANDSHAKE = 0x16

type Listener = (socket: Socket) => void

/**
 * `answer` gets the head of the refused request, as far as it was received, and returns a JSON body.
 * Returns what destroys the sockets that have not finished a handshake, so that closing the server can end.
 */
export function refusePlainHttp(server: Server, answer: (head: string) => string): () => void {
  const pending = new Map<string, Socket>()
  // The listeners of 'connection' take a socket; Node's type for them says no more than Function.
  const listeners = server.rawListeners('connection') as Listener[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    const name = nameOf(socket)
    pending.set(name, socket)
    socket.once('close', () => {
      if (pending.get(name) === socket) pending.delete(name)
    })
    peek(socket, answer, () => {
      for (const listener of listeners) listener.call(server, socket)
    })
  })
  // Node waits two minutes for a handshake; only after it does the HTTP server know the connection.
  server.on('secureConnection', (socket) => pending.delete(nameOf(socket)))
  return () => {
    for (const socket of pending.values()) socket.destroy()
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
    // Null when the client has closed its side; then 'end' follows.
    const piece: Buffer | null = socket.read()
    if (piece === null) return
    if (received.length === 0 && piece[0] === TLS_HANDSHAKE) {
      stop()
      socket.unshift(piece)
      pass()
      return
    }
    received = Buffer.concat([received, piece])
    pieces += 1
    const isEnough = received.length >= MAX_HEAD_BYTES || pieces >= MAX_PIECES
    if (isEnough || !isHttp(received) || headOf(received).isWhole) onStop()
  }
  // A reset is followed by 'close'. This stays on the socket when it is passed on.
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

/** A socket that is closed with unread data is reset, before the client has read the answer. */
function linger(socket: Socket): void {
  let pieces = 0
  socket.on('data', () => {
    pieces += 1
    if (pieces >= MAX_PIECES) socket.destroy()
  })
  socket.once('timeout', () => socket.destroy())
  socket.setTimeout(LINGER_MS)
}
