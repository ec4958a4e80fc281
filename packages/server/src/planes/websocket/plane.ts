/**
 * Websocket adapters: every reader gets every message of the project's devices, from the moment it comes
 * or after the message that it names, and sends to devices (docs/adr/0023-message-numbers.md). Messages of
 * other processes are found by polling once a second; those of this one are signalled when they are committed.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocketServer } from 'ws'
import type { Alarm } from '../../kernel/clock.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Adapter } from '../../services/iot/public.ts'
import { Reader, type ReaderParts } from './reader.ts'

export interface PlaneParts extends ReaderParts {
  readonly pingMs: number
  readonly pollMs: number
}

export const TIMES = { pingMs: 30_000, pollMs: 1000, stallMs: 30_000 }

const PATH = /^\/iot\/v1\/websocket(?:\/([\w-]+))?\/?$/

export class WebsocketPlane {
  readonly #parts: PlaneParts
  #server: Promise<WebSocketServer> | undefined
  readonly #readers = new Set<Reader>()
  readonly #alarms = new Map<string, Alarm>()
  readonly #stopListening: () => void

  constructor(parts: PlaneParts) {
    this.#parts = parts
    this.#stopListening = parts.live.listen((projectId) => {
      for (const reader of this.#readers) {
        if (reader.adapter.projectId === projectId) reader.wake()
      }
    })
  }

  /** The token is in the path, as in the adapter's url, or in the Authorization header. */
  async decide(request: IncomingMessage): Promise<(socket: Duplex, head: Buffer) => void> {
    const url = URL.parse(request.url ?? '', 'http://localhost')
    const match = PATH.exec(url?.pathname ?? '')
    if (match === null) {
      throw new NotFound(
        'There is no websocket at this path.',
        'このパスに WebSocket はありません。',
      )
    }
    const bearer = /^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
    const adapter = await this.#parts.live.identify(match[1] ?? bearer)
    const since = url?.searchParams.get('since') ?? undefined
    const after = await this.#parts.live.start(adapter, since)
    this.#server ??= newServer(this.#parts.live.bytesMax)
    const server = await this.#server
    return (socket, head) => this.#open(server, request, socket, head, adapter, after)
  }

  close(): void {
    this.#stopListening()
    for (const alarm of this.#alarms.values()) alarm.cancel()
    this.#alarms.clear()
    for (const reader of this.#readers) reader.goAway()
  }

  #open(
    server: WebSocketServer,
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    adapter: Adapter,
    after: number,
  ): void {
    server.handleUpgrade(request, socket, head, (opened) => {
      const reader = new Reader(opened, adapter, after, this.#parts)
      this.#readers.add(reader)
      opened.on('close', () => this.#readers.delete(reader))
      reader.wake()
      this.#repeat('ping', this.#parts.pingMs, async () => {
        for (const one of this.#readers) {
          one.check()
          // An adapter that another process has deleted is noticed by polling.
          one.wake()
        }
      })
      if (this.#parts.live.isShared) {
        this.#repeat('poll', this.#parts.pollMs, () => this.#poll())
      }
    })
  }

  async #poll(): Promise<void> {
    const { live, log } = this.#parts
    try {
      const projects = new Set([...this.#readers].map(({ adapter }) => adapter.projectId))
      const newest = await live.newest([...projects])
      for (const reader of this.#readers) {
        if ((newest.get(reader.adapter.projectId) ?? 0) > reader.after) reader.wake()
      }
    } catch (error) {
      log.error({ err: error }, 'websocket could not poll for messages')
    }
  }

  /** For as long as there are readers. */
  #repeat(name: string, everyMs: number, work: () => Promise<void>): void {
    if (this.#alarms.has(name)) return
    const { machine } = this.#parts
    const again = async () => {
      this.#alarms.delete(name)
      if (this.#readers.size === 0) return
      await work()
      this.#repeat(name, everyMs, work)
    }
    this.#alarms.set(name, machine.at(new Date(machine.now().getTime() + everyMs), name, again))
  }
}

/** Its library is loaded with the first connection: most clouds have none. */
async function newServer(maxPayload: number): Promise<WebSocketServer> {
  const { WebSocketServer } = await import('ws')
  const options = { noServer: true, clientTracking: false, perMessageDeflate: false }
  return new WebSocketServer({ ...options, maxPayload })
}
