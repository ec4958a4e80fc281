/**
 * A load generator in a process of its own, cheap enough that it does not measure itself: keep-alive
 * connections that send the next request when the last is answered. Started by
 * processes.ts with a JSON text as its argument; prints a line when it is connected, and at the end one of JSON.
 */
import { connect, type Socket } from 'node:net'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly seconds: number
  /** Whole requests. `{n}` becomes a number of twelve digits that counts up, or walks through `spread` others. */
  readonly request: string
  readonly first?: number
  readonly spread?: number
}

export interface LoadResult {
  readonly requests: number
  readonly failures: number
  readonly seconds: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

export const CONNECTED = 'Connected.\n'
const PLACE = '{n}'

class Connection {
  readonly #socket: Socket
  readonly #answered: (connection: Connection, ok: boolean, milliseconds: number) => void
  #waiting: Buffer | undefined
  #sentAt = 0

  constructor({ port }: Load, answered: Connection['answered']) {
    this.#answered = answered
    this.#socket = connect({ port, host: '127.0.0.1' })
    this.#socket.setNoDelay(true)
    this.#socket.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => this.#sentAt > 0 && this.#end(false))
  }

  get answered() {
    return this.#answered
  }

  ready(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('connect', resolve)
      this.#socket.once('error', reject)
    })
  }

  send(request: string): void {
    this.#sentAt = performance.now()
    this.#socket.write(request)
  }

  close(): void {
    this.#sentAt = 0
    this.#socket.destroy()
  }

  #read(chunk: Buffer): void {
    const all = this.#waiting === undefined ? chunk : Buffer.concat([this.#waiting, chunk])
    if (!isWhole(all)) {
      this.#waiting = all
      return
    }
    this.#waiting = undefined
    // "HTTP/1.1 2": the first digit of the status.
    this.#end(all[9] === 0x32)
  }

  #end(ok: boolean): void {
    const milliseconds = performance.now() - this.#sentAt
    this.#sentAt = 0
    this.#answered(this, ok, milliseconds)
  }
}

function isWhole(answer: Buffer): boolean {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) return false
  const head = answer.toString('latin1', 0, end)
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined) return answer.length >= end + 4 + Number(length)
  return !/\r\ntransfer-encoding: chunked/i.test(head) || answer.subarray(-5).equals(LAST_CHUNK)
}

const LAST_CHUNK = Buffer.from('0\r\n\r\n')

async function run(load: Load): Promise<LoadResult> {
  const times: number[] = []
  let requests = 0
  let failures = 0
  let n = 0
  // Set when all are connected: what is measured are connections that are kept.
  let began = 0
  let endsAt = 0
  let warmAt = 0
  const next = () => {
    const number = (load.first ?? 0) + (load.spread === undefined ? n : (n * 7919) % load.spread)
    n += 1
    return load.request.replaceAll(PLACE, String(number).padStart(12, '0'))
  }
  let open = load.connections
  await new Promise<void>((resolve) => {
    const answered = (connection: Connection, ok: boolean, milliseconds: number) => {
      requests += 1
      if (performance.now() > warmAt) times.push(milliseconds)
      if (!ok) failures += 1
      if (performance.now() >= endsAt || !ok) {
        connection.close()
        open -= 1
        if (open === 0) resolve()
      } else connection.send(next())
    }
    const connections = Array.from(
      { length: load.connections },
      () => new Connection(load, answered),
    )
    void Promise.all(connections.map((connection) => connection.ready())).then(() => {
      process.stdout.write(CONNECTED)
      began = performance.now()
      endsAt = began + load.seconds * 1000
      // At first this process itself is slow: its code is compiled.
      warmAt = began + load.seconds * 500
      for (const connection of connections) connection.send(next())
    })
  })
  const seconds = (performance.now() - began) / 1000
  times.sort((a, b) => a - b)
  const at = (share: number) => round(times[Math.floor(times.length * share)] ?? 0)
  return {
    ...{ requests, failures, seconds: round(seconds) },
    perSecond: round(requests / seconds),
    ...{ p50: at(0.5), p99: at(0.99) },
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

if (import.meta.main) {
  const result = await run(JSON.parse(process.argv[2] ?? '{}'))
  process.stdout.write(`${JSON.stringify(result)}\n`)
  process.exit(0)
}
