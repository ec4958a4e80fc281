/** All connections of this process: by client, by name, by device and by account. */
import type { Client } from 'aedes'
import type { LinkedDevice, Subscription } from '../../services/iot/public.ts'
import type { Connection } from './connection.ts'
import type { Subscribers } from './persistence.ts'
import { Rate } from './rate.ts'

interface Group {
  readonly device: LinkedDevice
  readonly rate: Rate
  readonly connections: Set<Connection>
}

export class Connections implements Subscribers {
  readonly #byClient = new Map<Client, Connection>()
  readonly #byName = new Map<string, Connection>()
  readonly #groups = new Map<string, Group>()
  readonly #perAccount = new Map<string, number>()
  readonly #ids = new Set<string>()
  readonly #now: () => number

  /** `now` in milliseconds of the machine. */
  constructor(now: () => number) {
    this.#now = now
  }

  get size(): number {
    return this.#byClient.size
  }

  /** Of each device that is connected. */
  get devices(): LinkedDevice[] {
    return [...this.#groups.values()].map(({ device }) => device)
  }

  /** A place among those of the account; false when there is none. */
  reserve(accountId: string, most: number): boolean {
    const count = this.#perAccount.get(accountId) ?? 0
    if (count >= most) return false
    this.#perAccount.set(accountId, count + 1)
    return true
  }

  release(accountId: string): void {
    const left = (this.#perAccount.get(accountId) ?? 0) - 1
    if (left > 0) this.#perAccount.set(accountId, left)
    else this.#perAccount.delete(accountId)
  }

  /** In a place that was reserved, which is free again when it is removed. */
  add(client: Client, id: string, connection: Connection, messagesPerSecond: number): void {
    const { device } = connection
    const { deviceId } = device
    this.#byClient.set(client, connection)
    this.#byName.set(client.id, connection)
    this.#ids.add(id)
    const group = this.#groups.get(deviceId)
    if (group !== undefined) group.connections.add(connection)
    else {
      const rate = new Rate(messagesPerSecond, this.#now)
      this.#groups.set(deviceId, { device, rate, connections: new Set([connection]) })
    }
  }

  remove(client: Client, id: string): void {
    const connection = this.#byClient.get(client)
    if (connection === undefined) return
    const { deviceId, accountId } = connection.device
    this.#byClient.delete(client)
    if (this.#byName.get(client.id) === connection) this.#byName.delete(client.id)
    this.#ids.delete(id)
    this.release(accountId)
    const group = this.#groups.get(deviceId)
    group?.connections.delete(connection)
    if (group?.connections.size === 0) this.#groups.delete(deviceId)
  }

  get(client: Client): Connection | undefined {
    return this.#byClient.get(client)
  }

  has(id: string | undefined): boolean {
    return id !== undefined && this.#ids.has(id)
  }

  ofDevice(deviceId: string): Iterable<Connection> {
    return this.#groups.get(deviceId)?.connections ?? []
  }

  ofProject(projectId: string): Connection[] {
    const groups = [...this.#groups.values()].filter((one) => one.device.projectId === projectId)
    return groups.flatMap(({ connections }) => [...connections])
  }

  /** Fulfilled when the next message of the device may be taken. */
  async throttle({ deviceId }: LinkedDevice): Promise<void> {
    await this.#groups.get(deviceId)?.rate.wait()
  }

  subscriptionsOf(name: string): readonly Subscription[] {
    return this.#byName.get(name)?.subscriptions ?? []
  }

  async subscribe(name: string, subscriptions: readonly Subscription[]): Promise<void> {
    const connection = this.#byName.get(name)
    connection?.subscribe(subscriptions)
    await connection?.keepSubscriptions()
  }

  async unsubscribe(name: string, topics: readonly string[]): Promise<void> {
    const connection = this.#byName.get(name)
    connection?.unsubscribe(topics)
    await connection?.keepSubscriptions()
  }
}
