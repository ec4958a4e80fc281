/**
 * Messages to one device. They are read from the database in small batches after the last that the device has
 * acknowledged, and no more are sent than wait for an acknowledgement, so that nothing piles up for a slow device.
 */
import type { Client } from 'aedes'
import type { DeviceLinks, LinkedDevice } from '../../services/iot/public.ts'
import { DOWN } from './topics.ts'

/** How many may wait for an acknowledgement. */
const WINDOW = 10

interface InFlight {
  readonly number: number
  isAcknowledged: boolean
}

export interface DownlinkParts {
  readonly links: DeviceLinks
  readonly client: Client
  readonly device: LinkedDevice
  /** Gives the payload the packet id that the broker is to send it under. */
  readonly nameNext: (payload: Buffer) => number
  readonly onSent: () => void
  readonly onFailed: (error: unknown) => void
}

export class Downlink {
  readonly #parts: DownlinkParts
  readonly qos: 0 | 1
  /** By packet id, in the order in which they were sent. */
  readonly #inFlight = new Map<number, InFlight>()
  #after: number | undefined
  #again = false
  #isPumping = false
  #isEnded = false

  /** `qos`: of the subscription. At 0 nothing is acknowledged: what was sent is done. */
  constructor(parts: DownlinkParts, qos: 0 | 1) {
    this.#parts = parts
    this.qos = qos
  }

  end(): void {
    this.#isEnded = true
  }

  /** There may be something new. */
  wake(): void {
    this.#again = true
    if (!this.#isPumping) void this.#pump()
  }

  /** Up to the first that is still open: a device that comes back gets that one, and all after it. */
  acknowledge(packetId: number): void {
    const acknowledged = this.#inFlight.get(packetId)
    if (acknowledged === undefined) return
    acknowledged.isAcknowledged = true
    let last: number | undefined
    for (const [id, { number, isAcknowledged }] of this.#inFlight) {
      if (!isAcknowledged) break
      this.#inFlight.delete(id)
      last = number
    }
    if (last !== undefined) this.#parts.links.acknowledge(this.#parts.device, last)
    this.wake()
  }

  async #pump(): Promise<void> {
    const { links, device, onFailed } = this.#parts
    this.#isPumping = true
    try {
      while (this.#again && !this.#isEnded) {
        this.#again = false
        const free = WINDOW - this.#inFlight.size
        // The next acknowledgement continues.
        if (free <= 0) break
        this.#after ??= await links.acknowledged(device)
        const news = await links.read(device, this.#after, free)
        for (const { number, text } of news) {
          if (this.#isEnded) return
          await this.#send(number, Buffer.from(text))
          this.#after = number
        }
        if (news.length === free) this.#again = true
      }
    } catch (error) {
      onFailed(error)
    } finally {
      this.#isPumping = false
    }
  }

  async #send(number: number, payload: Buffer): Promise<void> {
    const { links, client, device, nameNext, onSent } = this.#parts
    if (this.qos === 1) {
      this.#inFlight.set(nameNext(payload), { number, isAcknowledged: false })
    }
    await this.#write(payload)
    // The broker says so of one that was closed meanwhile, too.
    if (client.closed) return
    onSent()
    if (this.qos === 0) links.acknowledge(device, number)
  }

  /** Fulfilled when the socket has taken it. */
  #write(payload: Buffer): Promise<void> {
    const { client } = this.#parts
    return new Promise((resolve, reject) => {
      const packet = { topic: DOWN, payload, qos: this.qos, retain: false, dup: false } as const
      client.publish({ cmd: 'publish', ...packet }, (error) => (error ? reject(error) : resolve()))
    })
  }
}
