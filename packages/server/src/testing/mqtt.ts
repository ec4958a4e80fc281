/** A cloud whose devices connect by MQTT: with a client of another make, or packet by packet. */
import { connect as connectTcp } from 'node:net'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { generate, type IConnectPacket, type Packet, parser } from 'mqtt-packet'
import type { TestEngine } from './engines.ts'
import { openIot } from './iot.ts'
import { iccidOf } from './sims.ts'

const PATIENCE_MS = 20_000

export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += 5) {
    if (waited > PATIENCE_MS) throw new Error(`It has not come: ${what}`)
    await sleep(5)
  }
}

/** Listens, and has nothing of its own yet. */
export async function openListening(t: Pick<TestContext, 'after'>, engine: TestEngine) {
  const iot = await openIot(t, { engine, args: ['--mqtt-plain-port', '0'] })
  const plane = iot.cloud.mqtt
  if (plane === undefined) throw new Error('There is no MQTT.')
  t.after(() => plane.close())
  const address = { host: '127.0.0.1', port: undefined, tls: undefined, plainPort: 0 }
  const { plainPort = 0 } = await plane.listen(address)
  return { ...iot, plane, plainPort }
}

interface HistoryEntry {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into messages of every shape.
  readonly message: any
}

/** A project with the devices 1 and 2, each with a secret. */
export async function openMqtt(t: Pick<TestContext, 'after'>, engine: TestEngine) {
  const iot = await openListening(t, engine)
  const { operator, inject, plainPort } = iot
  const project = await iot.createProject()
  const adapter = await iot.createAdapter(project, 'incoming-webhook')
  const hook = new URL(adapter.url).pathname
  const devices = new Map<number, { sim: string; deviceId: string; secret: string }>()
  const newSecret = async (n: number): Promise<string> =>
    (await operator('POST', `/devices/${iccidOf(n)}/secret`)).body.secret
  for (const n of [1, 2]) {
    const sim = await iot.createSim(n)
    const { device_id: deviceId } = await iot.connect(project, sim)
    devices.set(n, { sim, deviceId, secret: await newSecret(n) })
  }
  const device = (n: number) => {
    const found = devices.get(n)
    if (found === undefined) throw new Error(`There is no device ${n}.`)
    return found
  }
  return {
    ...iot,
    project,
    device,
    newSecret,
    /** The messages of all devices and to them, oldest first. */
    async history(): Promise<HistoryEntry[]> {
      const all: HistoryEntry[] = []
      let before: string | null = ''
      while (before !== null) {
        const path: string = `/projects/${project}/messages?before=${before}`
        const { body } = await operator('GET', path)
        all.unshift(...body.messages.toReversed())
        before = body.next
      }
      return all
    },
    /** Somebody sends to the device. */
    async tell(n: number, value: string): Promise<string> {
      const payload = [{ tag: '10', type: 'string', value }]
      const body = { device_id: device(n).deviceId, payload }
      return (await inject('POST', hook, { body })).body.id
    },
    client: (n: number, options: IClientOptions = {}) =>
      Client.open(t, plainPort, {
        username: iccidOf(n),
        password: device(n).secret,
        ...options,
      }),
    raw: (n: number, options: Partial<IConnectPacket> = {}) =>
      RawClient.open(t, plainPort, {
        username: iccidOf(n),
        password: Buffer.from(device(n).secret),
        ...options,
      }),
  }
}

/** The client of npm. It does not come back by itself. */
export class Client {
  readonly received: { readonly topic: string; readonly text: string; readonly qos: number }[] = []
  readonly mqtt: MqttClient
  isClosed = false

  private constructor(client: MqttClient) {
    this.mqtt = client
    client.on('message', (topic, payload, { qos }) => {
      this.received.push({ topic, text: payload.toString(), qos })
    })
    client.on('close', () => {
      this.isClosed = true
    })
    client.on('error', () => undefined)
  }

  static async open(
    t: Pick<TestContext, 'after'>,
    port: number,
    options: IClientOptions,
  ): Promise<Client> {
    const connected = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`, {
      reconnectPeriod: 0,
      manualConnect: false,
      ...options,
    })
    t.after(() => connected.end(true))
    return new Client(connected)
  }

  get values(): string[] {
    return this.received.map(({ text }) => JSON.parse(text).payload[0].value)
  }

  got(count: number): Promise<void> {
    return until(() => this.received.length >= count, `message ${count}`)
  }

  closed(): Promise<void> {
    return until(() => this.isClosed, 'the end of the connection')
  }
}

/** Sends the packets that a test gives it, and nothing by itself. */
export class RawClient {
  readonly received: Packet[] = []
  readonly #write: (bytes: Buffer) => void
  readonly #destroy: () => void
  isClosed = false

  private constructor(port: number) {
    const socket = connectTcp(port, '127.0.0.1')
    const incoming = parser({ protocolVersion: 4 })
    incoming.on('packet', (packet: Packet) => this.received.push(packet))
    socket.on('data', (chunk) => incoming.parse(chunk))
    socket.on('error', () => undefined)
    socket.on('close', () => {
      this.isClosed = true
    })
    this.#write = (bytes) => socket.write(bytes)
    this.#destroy = () => socket.destroy()
  }

  static async open(
    t: Pick<TestContext, 'after'>,
    port: number,
    options: Partial<IConnectPacket>,
  ): Promise<RawClient> {
    const client = new RawClient(port)
    t.after(() => client.destroy())
    client.send({
      cmd: 'connect',
      protocolId: 'MQTT',
      protocolVersion: 4,
      clean: true,
      clientId: 'raw',
      keepalive: 0,
      ...options,
    })
    await until(() => client.isClosed || client.received.length > 0, 'the answer to CONNECT')
    return client
  }

  /** The return code of CONNACK. */
  get returnCode(): number | undefined {
    const [first] = this.received
    return first?.cmd === 'connack' ? first.returnCode : undefined
  }

  of<Command extends Packet['cmd']>(cmd: Command) {
    return this.received.filter((one): one is Packet & { cmd: Command } => one.cmd === cmd)
  }

  send(packet: Packet): void {
    this.#write(generate(packet))
  }

  bytes(bytes: Buffer): void {
    this.#write(bytes)
  }

  /** Publishes at QoS 1, and waits for the acknowledgement. */
  async publish(messageId: number, payload: string, dup = false): Promise<void> {
    const before = this.of('puback').length
    const packet = { topic: 'up/01', payload, messageId, dup, qos: 1, retain: false } as const
    this.send({ cmd: 'publish', ...packet })
    await until(() => this.of('puback').length > before, 'the acknowledgement')
  }

  /** Without a word. */
  destroy(): void {
    this.#destroy()
  }

  closed(): Promise<void> {
    return until(() => this.isClosed, 'the end of the connection')
  }
}
