/**
 * A network element in the hands of a test: takes Disconnect and CoA (RFC 5176) by UDP, checks who sent them, and
 * answers as the test says. The one of the server's own tests is the same, since neither side may import the other.
 */
import { createHash } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

export const NAS_SECRET = 'a shared secret'

export interface NasRequest {
  readonly type: 'Disconnect' | 'CoA'
  /** False when it was made with another secret. */
  readonly isVerified: boolean
  readonly acctSessionId: string | undefined
  readonly imsi: string | undefined
  readonly ip: string | undefined
  readonly nasIdentifier: string | undefined
  /** WISPr-Bandwidth-Max-Up and -Down. */
  readonly upBits: number | undefined
  readonly downBits: number | undefined
}

/** A number is the Error-Cause of a NAK; `none` sends nothing; `forged` is signed with another secret. */
export type NasAnswer = 'ack' | 'nak' | number | 'none' | 'forged'

const TYPES = new Map([
  [40, 'Disconnect'],
  [43, 'CoA'],
] as const)
const HEADER_BYTES = 20
const VENDOR_SPECIFIC = 26
const ERROR_CAUSE = 101
const VENDOR_3GPP = 10415
const VENDOR_WISPR = 14122

export async function openNas(
  answer: (request: NasRequest, nth: number) => NasAnswer = () => 'ack',
  { secret = NAS_SECRET, address = '127.0.0.1' } = {},
) {
  const requests: NasRequest[] = []
  const waiting = new Set<() => void>()
  const socket = createSocket('udp4')
  socket.on('message', (packet, { port, address: sender }) => {
    const type = TYPES.get((packet[0] ?? 0) as 40)
    if (type === undefined) return
    const request = { type, isVerified: isVerified(packet, secret), ...attributesOf(packet) }
    requests.push(request)
    const reply = request.isVerified ? answer(request, requests.length) : 'none'
    if (reply !== 'none') socket.send(answerTo(packet, reply, secret), port, sender)
    for (const check of waiting) check()
  })
  socket.bind(0, address)
  await once(socket, 'listening')
  // It ends with its tests, also when all of them are left out.
  socket.unref()
  return {
    requests,
    port: socket.address().port,
    /** When so many requests have come. */
    async received(count: number): Promise<readonly NasRequest[]> {
      if (requests.length < count) {
        await new Promise<void>((resolve) => {
          const check = () => {
            if (requests.length < count) return
            waiting.delete(check)
            resolve()
          }
          waiting.add(check)
        })
      }
      return requests
    },
    close: () => new Promise<void>((resolve) => socket.close(() => resolve())),
  }
}

/** RFC 5176, section 2.3: the authenticator is made as for accounting. */
function isVerified(packet: Buffer, secret: string): boolean {
  const made = md5(packet.subarray(0, 4), Buffer.alloc(16), packet.subarray(HEADER_BYTES), secret)
  return made.equals(packet.subarray(4, HEADER_BYTES))
}

function answerTo(packet: Buffer, answer: Exclude<NasAnswer, 'none'>, secret: string): Buffer {
  const isAck = answer === 'ack' || answer === 'forged'
  const attributes = typeof answer === 'number' ? Buffer.from([ERROR_CAUSE, 6, 0, 0, 0, 0]) : null
  if (typeof answer === 'number') attributes?.writeUInt32BE(answer, 2)
  const body = attributes ?? Buffer.alloc(0)
  const code = (packet[0] ?? 0) + (isAck ? 1 : 2)
  const head = Buffer.from([code, packet[1] ?? 0, 0, HEADER_BYTES + body.length])
  const signedWith = answer === 'forged' ? `not ${secret}` : secret
  return Buffer.concat([head, md5(head, packet.subarray(4, HEADER_BYTES), body, signedWith), body])
}

function md5(...parts: (Buffer | string)[]): Buffer {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

function attributesOf(packet: Buffer): Omit<NasRequest, 'type' | 'isVerified'> {
  const found = new Map<string, Buffer>()
  for (const { type, value } of split(packet.subarray(HEADER_BYTES))) {
    if (type !== VENDOR_SPECIFIC) found.set(String(type), value)
    else {
      const vendor = value.readUInt32BE(0)
      for (const own of split(value.subarray(4))) found.set(`${vendor}.${own.type}`, own.value)
    }
  }
  return {
    acctSessionId: found.get('44')?.toString(),
    imsi: found.get(`${VENDOR_3GPP}.1`)?.toString(),
    ip: found.get('8')?.join('.'),
    nasIdentifier: found.get('32')?.toString(),
    upBits: found.get(`${VENDOR_WISPR}.7`)?.readUInt32BE(0),
    downBits: found.get(`${VENDOR_WISPR}.8`)?.readUInt32BE(0),
  }
}

function* split(bytes: Buffer): Generator<{ readonly type: number; readonly value: Buffer }> {
  for (let at = 0; at + 2 <= bytes.length; ) {
    const length = Math.max(2, bytes[at + 1] ?? 2)
    yield { type: bytes[at] ?? 0, value: bytes.subarray(at + 2, at + length) }
    at += length
  }
}
