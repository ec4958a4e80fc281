/**
 * Devices in a process of their own, for mqtt.ts: each is connected by TLS with a session that is kept, publishes at
 * QoS 1 without waiting, and after a lost connection sends again what was not acknowledged. Its argument is a file of
 * JSON; it prints a line when all are connected, and at the end one of JSON.
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createSecureContext, type SecureContext, type TLSSocket } from 'node:tls'
import { generate, type Packet, parser } from 'mqtt-packet'

export interface DevicesOptions {
  readonly port: number
  readonly ca: string
  readonly devices: readonly { readonly iccid: string; readonly secret: string }[]
  /** Of all devices together. */
  readonly perSecond: number
  readonly seconds: number
}

export interface DevicesResult {
  readonly sent: number
  readonly acknowledged: number
  /** Connections that ended, with tries to come back while nobody listened. */
  readonly reconnected: number
  readonly seconds: number
  /** From the sending to the acknowledgement. */
  readonly p50: number
  readonly p99: number
}

export const CONNECTED = 'Connected.\n'
const BACK_AFTER_MS = 500
const PATIENCE_MS = 120_000

const times: number[] = []
let reconnected = 0

class Device {
  readonly #options: DevicesOptions
  readonly #secureContext: SecureContext
  readonly #iccid: string
  readonly #secret: string
  readonly #open = new Map<number, { readonly payload: string; readonly at: number }>()
  #socket: TLSSocket | undefined
  #isConnected = false
  sent = 0

  constructor(
    options: DevicesOptions,
    secureContext: SecureContext,
    { iccid, secret }: DevicesOptions['devices'][number],
  ) {
    this.#options = options
    this.#secureContext = secureContext
    this.#iccid = iccid
    this.#secret = secret
    this.#connect()
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  get open(): number {
    return this.#open.size
  }

  publish(): void {
    this.sent += 1
    const messageId = ((this.sent - 1) % 65_535) + 1
    this.#open.set(messageId, { payload: `${this.#iccid} ${this.sent}`, at: performance.now() })
    if (this.#isConnected) this.#send(messageId, false)
  }

  #connect(): void {
    const { port } = this.#options
    const secureContext = this.#secureContext
    const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', secureContext })
    this.#socket = socket
    const incoming = parser({ protocolVersion: 4 })
    incoming.on('packet', (packet: Packet) => this.#receive(packet))
    socket.on('data', (chunk) => incoming.parse(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.#isConnected = false
      reconnected += 1
      setTimeout(() => this.#connect(), BACK_AFTER_MS * (1 + Math.random()))
    })
    const session = { clientId: 'bench', clean: false, keepalive: 0 }
    const credentials = { username: this.#iccid, password: Buffer.from(this.#secret) }
    socket.write(
      generate({
        ...{ cmd: 'connect', protocolId: 'MQTT', protocolVersion: 4 },
        ...session,
        ...credentials,
      }),
    )
  }

  #receive(packet: Packet): void {
    if (packet.cmd === 'connack') {
      if (packet.returnCode !== 0) throw new Error(`CONNACK ${packet.returnCode}`)
      this.#isConnected = true
      for (const messageId of this.#open.keys()) this.#send(messageId, true)
    }
    if (packet.cmd !== 'puback') return
    const { at } = this.#open.get(packet.messageId ?? 0) ?? {}
    this.#open.delete(packet.messageId ?? 0)
    if (at !== undefined) times.push(performance.now() - at)
  }

  #send(messageId: number, dup: boolean): void {
    const payload = this.#open.get(messageId)?.payload ?? ''
    const packet = { topic: 'up/01', payload, messageId, dup, qos: 1, retain: false } as const
    this.#socket?.write(generate({ cmd: 'publish', ...packet }))
  }
}

async function run(options: DevicesOptions): Promise<DevicesResult> {
  const secureContext = createSecureContext({ ca: options.ca })
  const devices: Device[] = []
  for (const one of options.devices) {
    devices.push(new Device(options, secureContext, one))
    // Not all handshakes at once.
    if (devices.length % 20 === 0) await sleep(20)
  }
  await waitFor(() => devices.every(({ isConnected }) => isConnected), 'all connections')
  process.stdout.write(CONNECTED)

  const began = performance.now()
  const total = options.perSecond * options.seconds
  for (let sent = 0; sent < total; ) {
    const due = Math.min(total, ((performance.now() - began) / 1000) * options.perSecond)
    while (sent < due) {
      devices[sent % devices.length]?.publish()
      sent += 1
    }
    await sleep(5)
  }
  await waitFor(() => devices.every(({ open }) => open === 0), 'all acknowledgements')
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)] ?? 0)
  return {
    sent: devices.reduce((sum, { sent }) => sum + sent, 0),
    acknowledged: times.length,
    ...{ reconnected, seconds, p50: at(0.5), p99: at(0.99) },
  }
}

async function waitFor(isSo: () => boolean, what: string): Promise<void> {
  const since = performance.now()
  while (!isSo()) {
    if (performance.now() - since > PATIENCE_MS) throw new Error(`It has not come: ${what}.`)
    await sleep(20)
  }
}

if (import.meta.main) {
  const result = await run(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')))
  process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0))
}
