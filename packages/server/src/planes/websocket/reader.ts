/**
 * One websocket client. It pulls what is new from the database in small batches and waits for each to
 * be on its way, so that nothing piles up for it; one that takes nothing for too long is sent away.
 */
import type { WebSocket } from 'ws'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Adapter, LiveMessages } from '../../services/iot/public.ts'

export interface ReaderParts {
  readonly live: LiveMessages
  /** Of the machine: a socket does not wait by the world's clock. */
  readonly machine: Clock
  /** Of the world: what messages are dated by. */
  readonly world: { now(): Date }
  readonly log: Log
  /** How long a client may take nothing. */
  readonly stallMs: number
}

const BATCH = 50
/** What answers to a client's own messages may pile up to. */
const BUFFER_BYTES_MAX = 1024 * 1024
const GOING_AWAY = 1001
const POLICY = 1008
const FAULT = 1011

export class Reader {
  readonly adapter: Adapter
  readonly #socket: WebSocket
  readonly #parts: ReaderParts
  #after: number
  #isAlive = true
  #isPumping = false
  #again = false
  #answering: Promise<void> = Promise.resolve()

  constructor(socket: WebSocket, adapter: Adapter, after: number, parts: ReaderParts) {
    this.adapter = adapter
    this.#socket = socket
    this.#after = after
    this.#parts = parts
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    // Too large a frame, or a broken one: the library closes with the code that says so.
    socket.on('error', () => undefined)
  }

  get after(): number {
    return this.#after
  }

  /** There may be something new. */
  wake(): void {
    this.#again = true
    if (!this.#isPumping) void this.#pump()
  }

  /** A client that has not answered the last ping is gone. */
  check(): void {
    if (this.#isAlive) this.#socket.ping()
    else this.#socket.terminate()
    this.#isAlive = false
  }

  goAway(): void {
    this.#socket.close(GOING_AWAY, 'the server stops')
    // It does not hold up the closing of the server by not answering.
    this.#parts.machine.at(
      new Date(this.#parts.machine.now().getTime() + 1000),
      'websocket',
      async () => this.#socket.terminate(),
    )
  }

  async #pump(): Promise<void> {
    const { live, log } = this.#parts
    this.#isPumping = true
    try {
      while (this.#again && this.#socket.readyState === this.#socket.OPEN) {
        this.#again = false
        const news = await live.read(this.adapter, this.#after, BATCH)
        if (news === undefined) return this.#socket.close(POLICY, 'the adapter was deleted')
        const last = news.at(-1)
        if (last === undefined) continue
        if (!(await this.#send(news.map(({ text }) => text)))) return this.#socket.terminate()
        this.#after = last.number
        if (news.length === BATCH) this.#again = true
      }
    } catch (error) {
      log.error({ err: error }, 'websocket failed')
      this.#socket.close(FAULT)
    } finally {
      this.#isPumping = false
    }
  }

  /** False when the client took nothing for too long, or is gone. */
  #send(texts: readonly string[]): Promise<boolean> {
    const { machine, stallMs } = this.#parts
    return new Promise((resolve) => {
      const stall = new Date(machine.now().getTime() + stallMs)
      const alarm = machine.at(stall, 'websocket', async () => resolve(false))
      let left = texts.length
      for (const text of texts) {
        this.#socket.send(text, (error) => {
          left -= 1
          if (left > 0 && !error) return
          alarm.cancel()
          resolve(!error)
        })
      }
    })
  }

  /** One after another: a client that sends faster than we store has to wait. */
  #receive(data: Buffer, isBinary: boolean): void {
    const { live, world, log } = this.#parts
    this.#socket.pause()
    this.#answering = this.#answering.then(async () => {
      try {
        const now = world.now()
        const answer = isBinary
          ? live.refuseBinary(now)
          : await live.accept(this.adapter, data, now)
        this.#socket.send(answer)
        if (this.#socket.bufferedAmount > BUFFER_BYTES_MAX) this.#socket.terminate()
        this.#socket.resume()
      } catch (error) {
        log.error({ err: error }, 'websocket failed')
        this.#socket.close(FAULT)
      }
    })
  }
}
