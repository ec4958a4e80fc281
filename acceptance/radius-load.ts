/** A packet gateway that accounts much: what it sends is sent again until it is answered, as real ones do. */
import { createHash } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'

const ACCOUNTING_REQUEST = 4
const ACCOUNTING_RESPONSE = 5
const HEADER_BYTES = 20
/** Requests that one port can have under way: the identifier is a byte. */
const IDENTIFIERS = 256
const VENDOR_3GPP = 10_415

export const STATUS = { start: 1, stop: 2, interim: 3 } as const

export interface Accounting {
  readonly status: (typeof STATUS)[keyof typeof STATUS]
  readonly sessionId: string
  readonly imsi: string
  readonly uplinkBytes: number
  readonly downlinkBytes: number
}

interface Waiting {
  readonly packet: Buffer
  readonly answered: () => void
  sentAt: number
}

export interface LoadOptions {
  /** Where it sends from: FreeRADIUS knows it by this. */
  readonly from: string
  readonly port: number
  readonly secret: string
  readonly repeatMs?: number
  /** Ports that it sends from. */
  readonly sockets?: number
}

export class AccountingLoad {
  readonly #options: LoadOptions
  readonly #ports: Port[] = []
  #next = 0

  constructor(options: LoadOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    for (let count = 0; count < (this.#options.sockets ?? 1); count += 1) {
      const port = new Port(this.#options)
      await port.open()
      this.#ports.push(port)
    }
  }

  /** Fulfilled when the packet was answered. */
  send(accounting: Accounting): Promise<void> {
    this.#next += 1
    const port = this.#ports[this.#next % this.#ports.length]
    if (port === undefined) throw new Error('It is not open.')
    return port.send(accounting)
  }

  /** Packets that were sent again. */
  get repeated(): number {
    return this.#ports.reduce((sum, { repeated }) => sum + repeated, 0)
  }

  close(): void {
    for (const port of this.#ports) port.close()
  }
}

class Port {
  repeated = 0
  readonly #options: LoadOptions
  readonly #socket: Socket = createSocket('udp4')
  readonly #waiting = new Map<number, Waiting>()
  readonly #free = Array.from({ length: IDENTIFIERS }, (_, id) => id)
  readonly #queue: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: LoadOptions) {
    this.#options = options
  }

  async open(): Promise<void> {
    const { from, repeatMs = 500 } = this.#options
    this.#socket.bind(0, from)
    await once(this.#socket, 'listening')
    this.#socket.on('message', (answer) => this.#receive(answer))
    this.#timer = setInterval(() => this.#repeat(repeatMs), repeatMs / 2)
  }

  async send(accounting: Accounting): Promise<void> {
    while (this.#free.length === 0) await new Promise<void>((resolve) => this.#queue.push(resolve))
    const id = this.#free.shift() ?? 0
    const packet = encode(accounting, id, this.#options)
    await new Promise<void>((answered) => {
      this.#waiting.set(id, { packet, answered, sentAt: performance.now() })
      this.#transmit(packet)
    })
    this.#waiting.delete(id)
    this.#free.push(id)
    this.#queue.shift()?.()
  }

  close(): void {
    clearInterval(this.#timer)
    this.#socket.close()
  }

  #transmit(packet: Buffer): void {
    this.#socket.send(packet, this.#options.port, '127.0.0.1')
  }

  #repeat(repeatMs: number): void {
    const now = performance.now()
    for (const waiting of this.#waiting.values()) {
      if (now - waiting.sentAt < repeatMs) continue
      waiting.sentAt = now
      this.repeated += 1
      this.#transmit(waiting.packet)
    }
  }

  #receive(answer: Buffer): void {
    const waiting = this.#waiting.get(answer[1] ?? -1)
    if (waiting === undefined || answer[0] !== ACCOUNTING_RESPONSE) return
    const { secret } = this.#options
    const isRight = responseAuthenticator(answer, waiting.packet, secret).equals(
      answer.subarray(4, HEADER_BYTES),
    )
    if (isRight) waiting.answered()
  }
}

function encode(accounting: Accounting, id: number, { from, secret }: LoadOptions): Buffer {
  const { status, sessionId, imsi, uplinkBytes, downlinkBytes } = accounting
  const attributes = Buffer.concat([
    attribute(4, Buffer.from(from.split('.').map(Number))),
    integer(40, status),
    attribute(44, Buffer.from(sessionId)),
    integer(42, uplinkBytes % 2 ** 32),
    integer(43, downlinkBytes % 2 ** 32),
    integer(52, Math.floor(uplinkBytes / 2 ** 32)),
    integer(53, Math.floor(downlinkBytes / 2 ** 32)),
    integer(55, Math.floor(Date.now() / 1000)),
    vendorAttribute(1, Buffer.from(imsi)),
    vendorAttribute(18, Buffer.from('44010')),
    vendorAttribute(20, Buffer.from('3520990017614823')),
  ])
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt8(ACCOUNTING_REQUEST, 0)
  header.writeUInt8(id, 1)
  header.writeUInt16BE(HEADER_BYTES + attributes.length, 2)
  const packet = Buffer.concat([header, attributes])
  const authenticator = createHash('md5').update(packet).update(secret).digest()
  authenticator.copy(packet, 4)
  return packet
}

function responseAuthenticator(answer: Buffer, request: Buffer, secret: string): Buffer {
  return createHash('md5')
    .update(answer.subarray(0, 4))
    .update(request.subarray(4, HEADER_BYTES))
    .update(answer.subarray(HEADER_BYTES))
    .update(secret)
    .digest()
}

function attribute(type: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([type, value.length + 2]), value])
}

function integer(type: number, value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return attribute(type, bytes)
}

function vendorAttribute(type: number, value: Buffer): Buffer {
  const vendor = Buffer.alloc(4)
  vendor.writeUInt32BE(VENDOR_3GPP)
  return attribute(26, Buffer.concat([vendor, attribute(type, value)]))
}
