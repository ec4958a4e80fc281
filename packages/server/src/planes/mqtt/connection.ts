/** One connection of a device: its session, what it sends, and what it has subscribed to. */
import { createHash } from 'node:crypto'
import type { Client, PublishPacket } from 'aedes'
import type { DeviceLinks, LinkedDevice, Subscription } from '../../services/iot/public.ts'
import { Downlink } from './downlink.ts'
import { DOWN, ERRORS, readUpTopic } from './topics.ts'

export interface ConnectionParts {
  readonly links: DeviceLinks
  readonly client: Client
  readonly device: LinkedDevice
  /** Unlike any other's, of any process. */
  readonly id: string
  /** As the device calls itself. */
  readonly clientId: string
  readonly isClean: boolean
  /** The connection before it ended with the process that had it. */
  readonly wasCut: boolean
  readonly subscriptions: readonly Subscription[]
  readonly onSent: () => void
  readonly onFailed: (error: unknown) => void
}

const PACKET_ID_MAX = 65_535

export class Connection {
  readonly #parts: ConnectionParts
  readonly #subscriptions: Map<string, Subscription>
  /** Those that were used on this connection; kept only where it matters. */
  readonly #packetIds = new Set<number>()
  /** Of what goes to the device, by payload. */
  readonly #names = new WeakMap<object, number>()
  #lastName = 0
  #last: Promise<void> = Promise.resolve()
  #downlink: Downlink | undefined

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#subscriptions = new Map(parts.subscriptions.map((one) => [one.topic, one]))
  }

  get device(): LinkedDevice {
    return this.#parts.device
  }

  get subscriptions(): readonly Subscription[] {
    return [...this.#subscriptions.values()]
  }

  /**
   * Stores a message. Answers with the text that tells the device why it was refused. Undefined when the topic is none
   * that a device may send to.
   */
  receive(packet: PublishPacket): Promise<string | undefined> | undefined {
    const { links, device } = this.#parts
    const topic = readUpTopic(packet.topic)
    if (topic === undefined || packet.qos === 2) return undefined
    const content = { tag: topic.tag, bytes: Buffer.from(packet.payload) }
    if (packet.qos === 0) return links.send(device, content, undefined, false)
    return links.send(device, content, this.#receiptOf(packet), this.#mayBeRepeat(packet))
  }

  /** Messages are acknowledged in the order in which they came, also where one is refused at once. */
  inOrder(work: Promise<void>): Promise<void> {
    const own = Promise.allSettled([work, this.#last]).then(() => work)
    this.#last = own
    return own
  }

  subscribe(subscriptions: readonly Subscription[]): void {
    for (const { topic, qos } of subscriptions) this.#subscriptions.set(topic, { topic, qos })
  }

  unsubscribe(topics: readonly string[]): void {
    for (const topic of topics) this.#subscriptions.delete(topic)
  }

  /** In the session of the device. */
  keepSubscriptions(): Promise<void> {
    const { links, device, id } = this.#parts
    return links.subscribe(device, id, this.subscriptions)
  }

  /** The broker has answered: from now on the device gets what it has subscribed to. */
  begin(): void {
    const subscription = this.#subscriptions.get(DOWN)
    const qos = subscription && (subscription.qos === 0 ? 0 : 1)
    if (this.#downlink?.qos !== qos) {
      this.#downlink?.end()
      const nameNext = (payload: Buffer) => this.#nameNext(payload)
      this.#downlink =
        qos === undefined ? undefined : new Downlink({ ...this.#parts, nameNext }, qos)
    }
    this.wake()
  }

  /** The packet id that a payload goes to the device under. */
  nameOf(payload: object): number | undefined {
    return this.#names.get(payload)
  }

  wake(): void {
    this.#downlink?.wake()
  }

  acknowledge(packetId: number): void {
    this.#downlink?.acknowledge(packetId)
  }

  /** A message of this device was not taken. */
  tellError(text: string): void {
    if (!this.#subscriptions.has(ERRORS)) return
    const packet = { topic: ERRORS, payload: Buffer.from(text), retain: false, dup: false }
    this.#parts.client.publish({ cmd: 'publish', qos: 0, ...packet }, () => undefined)
  }

  /** Sends the device away. */
  close(): void {
    this.#parts.client.close()
  }

  /** The socket is gone. The session stays unless it was a clean one. */
  async end(): Promise<void> {
    this.stop()
    const { links, device, id, isClean } = this.#parts
    await links.closeSession(device, id, !isClean)
  }

  /** With the process: the session stays open, as if it had been killed. */
  stop(): void {
    this.#downlink?.end()
  }

  #nameNext(payload: Buffer): number {
    this.#lastName = (this.#lastName % PACKET_ID_MAX) + 1
    this.#names.set(payload, this.#lastName)
    return this.#lastName
  }

  /**
   * A client marks what it sends again. Some do not (docs/iot.md), so after a crash of ours the first use of a packet
   * id on the new connection counts as well: then the acknowledgement may have been lost.
   */
  #mayBeRepeat({ dup, messageId = 0 }: PublishPacket): boolean {
    if (!this.#parts.wasCut) return dup
    const isFirst = !this.#packetIds.has(messageId)
    this.#packetIds.add(messageId)
    return dup || isFirst
  }

  #receiptOf({ topic, messageId, payload }: PublishPacket): string {
    const { device, clientId } = this.#parts
    return createHash('sha256')
      .update(JSON.stringify([device.deviceId, clientId, messageId, topic]))
      .update(payload)
      .digest('base64url')
      .slice(0, 22)
  }
}
