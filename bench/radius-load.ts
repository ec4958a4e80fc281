/**
 * Packet gateways in a process of their own, for radius.ts: each SIM has a session that starts, is accounted and stops,
 * over and over, and each packet waits for its answer. They are sent to FreeRADIUS, or as FreeRADIUS sends them on, to
 * the endpoint. Its argument is JSON; it prints a line when it begins, and at the end one of JSON.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Accounting, AccountingLoad, STATUS } from '../acceptance/radius-load.ts'

export interface RadiusLoad {
  readonly to: 'freeradius' | 'endpoint'
  readonly port: number
  /** The shared secret, or the network token. */
  readonly secret: string
  readonly from: string
  readonly element: string
  readonly imsis: readonly string[]
  readonly seconds: number
  /** Makes the sessions of each run others. */
  readonly run: string
}

export interface RadiusLoadResult {
  readonly packets: number
  readonly repeated: number
  readonly seconds: number
}

export const BEGINS = 'Begins.\n'
/** Between the start and the stop of a session: fifty minutes at the usual interval. */
const INTERIMS = 10

interface Sender {
  send(accounting: Accounting): Promise<void>
  close(): void
  readonly repeated: number
}

/** One connection for each request under way, as FreeRADIUS has one for each thread. */
class Endpoint implements Sender {
  readonly repeated = 0
  readonly #load: RadiusLoad
  readonly #idle: Socket[] = []
  readonly #queue: ((socket: Socket) => void)[] = []

  constructor(load: RadiusLoad) {
    this.#load = load
  }

  async open(connections: number): Promise<void> {
    for (let count = 0; count < connections; count += 1) {
      const socket = connect({ port: this.#load.port, host: '127.0.0.1', noDelay: true })
      await once(socket, 'connect')
      this.#idle.push(socket)
    }
  }

  async send(accounting: Accounting): Promise<void> {
    const socket =
      this.#idle.pop() ?? (await new Promise<Socket>((resolve) => this.#queue.push(resolve)))
    socket.write(this.#request(accounting))
    const [answer] = await once(socket, 'data')
    if (!String(answer).startsWith('HTTP/1.1 204')) throw new Error(`It was answered: ${answer}`)
    const next = this.#queue.shift()
    if (next === undefined) this.#idle.push(socket)
    else next(socket)
  }

  close(): void {
    for (const socket of this.#idle) socket.destroy()
  }

  /** Byte by byte what FreeRADIUS makes of the packet of radius-load.ts in acceptance/. */
  #request({ status, sessionId, imsi, uplinkBytes, downlinkBytes }: Accounting): string {
    const integer = (value: number | string) => ({ type: 'integer', value: [value] })
    const string = (value: string) => ({ type: 'string', value: [value] })
    const seconds = Math.floor(Date.now() / 1000)
    const body = JSON.stringify({
      'NAS-Identifier': string(this.#load.element),
      'Acct-Status-Type': integer(NAMES[status] ?? ''),
      'Acct-Input-Octets': integer(uplinkBytes % 2 ** 32),
      'Acct-Output-Octets': integer(downlinkBytes % 2 ** 32),
      'Acct-Session-Id': string(sessionId),
      'Acct-Input-Gigawords': integer(0),
      'Acct-Output-Gigawords': integer(0),
      'Event-Timestamp': { type: 'date', value: [new Date(seconds * 1000).toUTCString()] },
      '3GPP-IMSI': string(imsi),
      '3GPP-SGSN-MCC-MNC': string('44010'),
      '3GPP-IMEISV': string('3520990017614823'),
      'Event-Timestamp-Seconds': integer(seconds),
    })
    return [
      'POST /_kumoi/v1/radius/accounting HTTP/1.1',
      'Host: 127.0.0.1',
      'User-Agent: FreeRADIUS 3.2.1',
      'Accept: */*',
      'Content-Type: application/json',
      'X-FreeRADIUS-Section: accounting',
      'X-FreeRADIUS-Server: kumoi',
      `Authorization: Bearer ${this.#load.secret}`,
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
  }
}

const NAMES: Readonly<Record<number, string>> = { 1: 'Start', 2: 'Stop', 3: 'Interim-Update' }
/** As many as FreeRADIUS has threads (packages/cli/src/radius-config.ts). */
const CONNECTIONS = 64

async function open(load: RadiusLoad): Promise<Sender> {
  if (load.to === 'endpoint') {
    const endpoint = new Endpoint(load)
    await endpoint.open(CONNECTIONS)
    return endpoint
  }
  const freeradius = new AccountingLoad({ ...load, sockets: 4, repeatMs: 5000 })
  await freeradius.open()
  return freeradius
}

async function run(load: RadiusLoad): Promise<RadiusLoadResult> {
  const sender = await open(load)
  let packets = 0
  process.stdout.write(BEGINS)
  const began = performance.now()
  const endsAt = began + load.seconds * 1000
  const isOver = () => performance.now() >= endsAt
  const device = async (imsi: string) => {
    for (let nth = 0; !isOver(); nth += 1) {
      const sessionId = `${load.run}-${imsi.slice(-6)}-${nth}`
      let isStopped = false
      // A session that is left behind would be disconnected by the next run.
      for (let step = 0; !isStopped; step += 1) {
        isStopped = step > INTERIMS || (step > 0 && isOver())
        const status = step === 0 ? STATUS.start : isStopped ? STATUS.stop : STATUS.interim
        const [uplinkBytes, downlinkBytes] = [step * 10_000, step * 50_000]
        await sender.send({ status, sessionId, imsi, uplinkBytes, downlinkBytes })
        packets += 1
      }
    }
  }
  await Promise.all(load.imsis.map(device))
  sender.close()
  return { packets, repeated: sender.repeated, seconds: (performance.now() - began) / 1000 }
}

if (import.meta.main) {
  const result = await run(JSON.parse(process.argv[2] ?? '{}'))
  process.stdout.write(`${JSON.stringify(result)}\n`)
  process.exit(0)
}
