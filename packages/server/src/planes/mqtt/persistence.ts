/**
 * What the broker keeps of a session, as it asks for it. Subscriptions are in the session of the device; messages to
 * it come from the database (downlink.ts), so the broker itself queues none. There are no retained messages or wills.
 */
import { Readable } from 'node:stream'
import type { Client } from 'aedes'
import type { Subscription } from '../../services/iot/public.ts'

/** Where the subscriptions of connected clients are, by the names that the broker gives them. */
export interface Subscribers {
  subscriptionsOf(clientId: string): readonly Subscription[]
  subscribe(clientId: string, subscriptions: readonly Subscription[]): Promise<void>
  unsubscribe(clientId: string, topics: readonly string[]): Promise<void>
}

type Identified = Pick<Client, 'id'>

export class SessionPersistence {
  readonly #subscribers: Subscribers

  constructor(subscribers: Subscribers) {
    this.#subscribers = subscribers
  }

  async setup(): Promise<void> {}

  async subscriptionsByClient({ id }: Identified): Promise<Subscription[]> {
    return this.#subscribers.subscriptionsOf(id).map((subscription) => ({ ...subscription }))
  }

  addSubscriptions({ id }: Identified, subscriptions: readonly Subscription[]): Promise<void> {
    return this.#subscribers.subscribe(id, subscriptions)
  }

  removeSubscriptions({ id }: Identified, topics: readonly string[]): Promise<void> {
    return this.#subscribers.unsubscribe(id, topics)
  }

  /** The session was opened without any. */
  async cleanSubscriptions(): Promise<void> {}

  async subscriptionsByTopic(): Promise<[]> {
    return []
  }

  async outgoingEnqueue(): Promise<void> {}

  async outgoingEnqueueCombi(): Promise<void> {}

  async outgoingUpdate(): Promise<void> {}

  /** The packet that acknowledges one of ours; the broker tells of it. */
  async outgoingClearMessageId<Packet>(_client: Identified, packet: Packet): Promise<Packet> {
    return packet
  }

  outgoingStream(): Readable {
    return Readable.from([])
  }

  async storeRetained(): Promise<void> {}

  createRetainedStreamCombi(): Readable {
    return Readable.from([])
  }

  async putWill(): Promise<void> {}

  async delWill(): Promise<void> {}

  streamWill(): Readable {
    return Readable.from([])
  }

  /** For packets of quality of service 2, of which there are none. */
  async incomingGetPacket(): Promise<never> {
    throw new Error('no such packet')
  }

  async cleanIncoming(): Promise<void> {}
}
