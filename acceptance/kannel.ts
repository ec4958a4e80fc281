/** Kannel as docs/sms.md configures it, and behind it an SMSC with phones. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import smpp, { type Pdu, type Session } from 'smpp'
import { installPackages } from './debian.ts'
import { freePort } from './ports.ts'
import { waitFor } from './wait.ts'

const PROGRAMS = ['/usr/sbin/bearerbox', '/usr/sbin/smsbox']
const isMissing = () => !PROGRAMS.every((path) => existsSync(path))

if (isMissing()) installPackages('kannel')

/** Why tests with it do not run; false when they do. */
export const noKannel = isMissing() && 'there is no Kannel (the Debian package kannel)'

interface Ending {
  after(end: () => unknown): void
}

/** A text as a phone shows it, of all its parts. */
export interface Received {
  readonly destination: string
  readonly text: string
  readonly parts: number
  /** 0 is the GSM alphabet, 8 is UCS-2. */
  readonly coding: number
}

/** An SMSC that shows what its phones got, and sends a receipt for each part that asks for one. */
export class Smsc {
  readonly received: Received[] = []
  /** So many of the next parts are sent back. */
  throttle = 0
  throttled = 0
  port = 0
  #server: ReturnType<typeof smpp.createServer> | undefined
  readonly #sessions = new Set<Session>()
  readonly #parts = new Map<string, Map<number, string>>()
  #given = 0

  async start(): Promise<void> {
    const server = smpp.createServer((session) => this.#serve(session))
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve))
    this.port = server.address().port
    this.#server = server
  }

  stop(): void {
    this.#server?.close()
    for (const session of this.#sessions) session.destroy()
    this.#sessions.clear()
  }

  /** What the phone of this number shows. */
  textsOf(destination: string): string[] {
    return this.received.filter((one) => one.destination === destination).map(({ text }) => text)
  }

  #serve(session: Session): void {
    this.#sessions.add(session)
    for (const command of ['bind_transceiver', 'enquire_link', 'unbind']) {
      session.on(command, (pdu) => session.send(pdu.response()))
    }
    // Kannel is killed in tests, and its connection with it.
    session.on('error', () => undefined)
    session.on('submit_sm', (pdu) => this.#submit(session, pdu))
  }

  #submit(session: Session, pdu: Pdu): void {
    if (this.throttle > 0) {
      this.throttle -= 1
      this.throttled += 1
      session.send(pdu.response({ command_status: smpp.ESME_RTHROTTLED }))
      return
    }
    this.#given += 1
    const id = `smsc${this.#given}`
    session.send(pdu.response({ message_id: id }))
    this.#take(pdu)
    if (pdu.registered_delivery === 0) return
    session.deliver_sm({
      ...{ source_addr: pdu.destination_addr, destination_addr: pdu.source_addr, esm_class: 4 },
      short_message: `id:${id} sub:001 dlvrd:001 submit date:2604010000 done date:2604010000 stat:DELIVRD err:000 text:`,
    })
  }

  #take({ destination_addr: destination, data_coding: coding, short_message }: Pdu): void {
    const { message, udh } = short_message
    // The header of a part: 0, 3, which message, of how many parts, which of them.
    const [, , reference = 0, total = 1, nth = 1] = udh?.[0] ?? []
    const key = `${destination} ${reference}`
    const parts = this.#parts.get(key) ?? new Map<number, string>()
    parts.set(nth, message)
    this.#parts.set(key, parts)
    if (parts.size < total) return
    this.#parts.delete(key)
    const text = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part)
    this.received.push({ destination, text: text.join(''), parts: total, coding })
  }
}

export async function startSmsc(t: Ending): Promise<Smsc> {
  const smsc = new Smsc()
  await smsc.start()
  t.after(() => smsc.stop())
  return smsc
}

export class Kannel {
  readonly url: string
  readonly #folder: string
  readonly #ports: readonly number[]
  #processes: ChildProcess[] = []

  constructor(folder: string, ports: readonly number[]) {
    this.#folder = folder
    this.#ports = ports
    this.url = `http://127.0.0.1:${ports[2]}/cgi-bin/sendsms`
  }

  async start(): Promise<void> {
    const [, boxPort = 0, sendPort = 0] = this.#ports
    const listens = [boxPort, sendPort]
    for (const [index, program] of PROGRAMS.entries()) {
      const child = spawn(program, ['kannel.conf'], { cwd: this.#folder, stdio: 'ignore' })
      this.#processes.push(child)
      await waitFor(`${program} to listen`, () => isListening(listens[index] ?? 0))
    }
  }

  /** It takes messages. */
  isReady(): Promise<boolean> {
    return isListening(this.#ports[2] ?? 0)
  }

  /** Both programs at once, without a warning. */
  async kill(): Promise<void> {
    const running = this.#processes.filter(({ exitCode }) => exitCode === null)
    this.#processes = []
    await Promise.all(
      running.map(async (child) => {
        child.kill('SIGKILL')
        await once(child, 'exit')
      }),
    )
  }
}

const page = readFileSync(new URL('../docs/sms.md', import.meta.url), 'utf8')

/** The flags of the walkthrough, for this Kannel. */
export function documentedFlags({ url }: Kannel, passwordFile: string): string[] {
  const [, flags = ''] = /^npx kumoi serve (--sms.*?[^\\])$/ms.exec(page) ?? []
  return flags
    .replaceAll('\\\n', '')
    .replace('http://127.0.0.1:13013/cgi-bin/sendsms', url)
    .replace('kannel.password', passwordFile)
    .split(/\s+/)
}

/** The two blocks of the walkthrough: what starts it all, and what is done then in another terminal. */
export function documentedCommands({ url }: Kannel, origin: string): readonly [string, string] {
  const walkthrough = page.slice(page.indexOf('Start both programs, then Kumoi'))
  const blocks = [...walkthrough.matchAll(/^```console\n(.*?)^```$/gms)].map(
    ([, text = '']) => text,
  )
  const [starting = '', then = ''] = blocks
  const port = new URL(origin).port
  return [
    starting
      .replace('http://127.0.0.1:13013/cgi-bin/sendsms', url)
      .replace('kumoi serve', `kumoi serve --port ${port}`),
    then.replace('https://localhost:8443', origin),
  ]
}

/** With ports of its own, and this SMSC instead of a real one. */
export async function configureKannel(folder: string, smsc: Smsc): Promise<Kannel> {
  const [, documented = ''] = /^```text kannel\.conf\n(.*?)^```$/ms.exec(page) ?? []
  const ports = [await freePort(), await freePort(), await freePort()]
  const [admin, box, send] = ports
  const conf = documented
    .replace('admin-port = 13000', `admin-port = ${admin}`)
    .replace('smsbox-port = 13001', `smsbox-port = ${box}`)
    .replace('sendsms-port = 13013', `sendsms-port = ${send}`)
    .replace('port = 2775', `port = ${smsc.port}`)
    .replace('sms-resend-freq = 5', 'sms-resend-freq = 1')
    .replace('http-queue-delay = 5', 'http-queue-delay = 1')
  writeFileSync(join(folder, 'kannel.conf'), conf)
  return new Kannel(folder, ports)
}

export async function startKannel(t: Ending, folder: string, smsc: Smsc): Promise<Kannel> {
  const kannel = await configureKannel(folder, smsc)
  for (const name of ['kannel-spool', 'kannel-dlr']) mkdirSync(join(folder, name))
  t.after(() => kannel.kill())
  await kannel.start()
  return kannel
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
