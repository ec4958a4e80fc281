/**
 * Devices by MQTT 3.1.1, spoken by the library `aedes`. What a device sends is stored by the same code as over HTTPS
 * before it is acknowledged; what is for it is read from the database. The broker passes nothing from one client to
 * another: topics name no device, and each connection has its own.
 */
import type { EventEmitter } from 'node:events'
import { Aedes, type AedesOptions, type Client, type PublishPacket } from 'aedes'
import { type Alarm, every, stopwatch, yieldToEventLoop } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { DeviceLinks } from '../../services/iot/public.ts'
import { Authenticator, answerOf } from './authenticator.ts'
import type { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import { Listeners, type ListenOptions, type Ports } from './listeners.ts'
import { type MqttMetrics, mqttMetrics } from './metrics.ts'
import { SessionPersistence } from './persistence.ts'
import { isDownTopic } from './topics.ts'
import { Watch } from './watch.ts'

export interface PlaneParts {
  readonly links: DeviceLinks
  readonly random: Random
  readonly log: Log
  readonly registry: Parameters<typeof mqttMetrics>[0]
}

/** Between two looks at what other processes and the operator have changed. */
const CHECK_MS = 1000
const CONNECT_MS = 30_000
/** A client that takes nothing for so long is gone. */
const STALL_MS = 30_000
/** So much larger than a message that one a little too large is answered instead of cut off. */
const PACKET_FACTOR = 2

export class MqttPlane {
  readonly #parts: PlaneParts
  readonly #connections: Connections
  readonly #authenticator: Authenticator
  readonly #broker: Aedes
  readonly #listeners: Listeners
  readonly #metrics: MqttMetrics
  readonly #storing = new Set<Promise<void>>()
  readonly #alarm: Alarm
  readonly #stopListening: () => void
  #isClosing = false

  private constructor(parts: PlaneParts) {
    const { links, log } = parts
    this.#parts = parts
    const connections = new Connections(stopwatch())
    this.#connections = connections
    this.#metrics = mqttMetrics(parts.registry, () => connections.size)
    this.#authenticator = new Authenticator({
      ...{ ...parts, connections },
      onSent: () => this.#metrics.count('down'),
      onFailed: (err) => log.error({ err }, 'messages to a device could not be read'),
    })
    this.#broker = new Aedes(this.#brokerOptions())
    this.#listenToBroker()
    this.#listeners = new Listeners(
      (socket) => this.#broker.handle(socket),
      links.bytesMax * PACKET_FACTOR,
    )
    const watch = new Watch(links, connections, log)
    this.#alarm = every(CHECK_MS, () => void watch.check())
    this.#stopListening = links.listen((deviceId) => {
      for (const connection of connections.ofDevice(deviceId)) connection.wake()
    })
  }

  static async open(parts: PlaneParts): Promise<MqttPlane> {
    const plane = new MqttPlane(parts)
    await plane.#broker.listen()
    return plane
  }

  listen(options: ListenOptions): Promise<Ports> {
    return this.#listeners.listen(options)
  }

  /** What was received is stored and acknowledged first. What comes later, devices send again. */
  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#alarm.cancel()
    this.#stopListening()
    const closed = this.#listeners.close()
    await Promise.all(this.#storing)
    await yieldToEventLoop()
    await new Promise<void>((resolve) => this.#broker.close(resolve))
    this.#listeners.destroyRest()
    await closed
    await this.#parts.links.idle()
  }

  #brokerOptions(): AedesOptions {
    return {
      persistence: new SessionPersistence(this.#connections),
      connectTimeout: CONNECT_MS,
      drainTimeout: STALL_MS,
      // Of version 3.1, whose names are shorter than ours with the card in front.
      maxClientsIdLength: 1000,
      preConnect: (client, packet, callback) => {
        this.#authenticator.remember(client, packet)
        callback(null, true)
      },
      authenticate: (client, iccid = '', secret, callback) => {
        this.#enter(client, iccid, secret?.toString() ?? '').then(
          () => callback(null, true),
          (error: unknown) => {
            const { answer, isFault } = answerOf(error)
            if (isFault) this.#parts.log.error({ err: error }, 'mqtt failed')
            callback(answer, false)
          },
        )
      },
      authorizePublish: (client, packet, callback) => {
        const connection = client === null ? undefined : this.#connections.get(client)
        if (connection === undefined) return callback(foreign())
        // Not acknowledged, so it comes again.
        if (this.#isClosing) return
        const storing = connection.inOrder(this.#receive(connection, packet)).then(
          () => callback(),
          (error: Error) => callback(error),
        )
        this.#storing.add(storing)
        void storing.then(() => this.#storing.delete(storing))
      },
      authorizeSubscribe: (_client, subscription, callback) => {
        if (isDownTopic(subscription.topic)) callback(null, subscription)
        else callback(foreign())
      },
      authorizeForward: (client, packet) => {
        const name = this.#connections.get(client)?.nameOf(packet.payload as Buffer)
        if (name !== undefined) packet.messageId = name
        return packet
      },
    }
  }

  #listenToBroker(): void {
    const connections = this.#connections
    this.#broker.on('subscribe', (subscriptions, client) => {
      connections.get(client)?.subscribe(subscriptions)
      connections.get(client)?.begin()
    })
    this.#broker.on('unsubscribe', (topics, client) => {
      // Also told of a client that goes, whose session stays as it is.
      if (client.closed) return
      connections.get(client)?.unsubscribe(topics)
      connections.get(client)?.begin()
    })
    this.#broker.on('clientReady', (client) => connections.get(client)?.begin())
    this.#broker.on('ack', (packet, client) => {
      connections.get(client)?.acknowledge(packet?.messageId ?? 0)
    })
    // The types of the library do not know that it tells of errors of its own.
    const events: EventEmitter = this.#broker
    events.on('error', (err) => this.#parts.log.error({ err }, 'mqtt failed'))
  }

  async #enter(client: Client, iccid: string, secret: string): Promise<void> {
    const end = await this.#authenticator.authenticate(client, iccid, secret)
    const { conn } = client
    const onClose = () => {
      end(this.#isClosing).catch((err: unknown) => this.#parts.log.error({ err }, 'mqtt failed'))
    }
    if (conn.destroyed) onClose()
    else conn.once('close', onClose)
  }

  /** Fulfilled when the message may be acknowledged. */
  async #receive(connection: Connection, packet: PublishPacket): Promise<void> {
    // Nothing is retained: a message is one of many.
    packet.retain = false
    const { device } = connection
    await this.#connections.throttle(device)
    try {
      const stored = connection.receive(packet)
      if (stored === undefined) throw foreign()
      const error = await stored
      this.#metrics.count(error === undefined ? 'up' : 'refused')
      if (error === undefined) return
      for (const one of this.#connections.ofDevice(device.deviceId)) one.tellError(error)
    } catch (err) {
      if (!(err instanceof ForeignTopic)) this.#parts.log.error({ err }, 'mqtt failed')
      throw err
    }
  }
}

/** Ends the connection. */
class ForeignTopic extends Error {}

function foreign(): ForeignTopic {
  return new ForeignTopic('a topic that is not of the device')
}
