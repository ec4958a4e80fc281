/** Devices that stay connected, as a plane sees them: who they are, what they send, and what is for them. */
import { isSameSecret } from '../../kernel/constant-time.ts'
import { Conflict, Refusal, Unauthorized } from '../../kernel/errors.ts'
import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Database } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { findSim, findSims } from '../sim/public.ts'
import { Acknowledgements } from './acknowledgements.ts'
import { findSecrets } from './device-store.ts'
import type { News } from './live.ts'
import { MessageQueue } from './message-queue.ts'
import { MESSAGE_BYTES_MAX, type MessageDraft } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import { draftFromBytes, draftFromValue, errorToWire, messageToWire } from './message-wire.ts'
import type { MessageTools } from './messages.ts'
import { newestNumbers } from './project-store.ts'
import { type Session, SessionStore, type Subscription } from './session-store.ts'
import { findAcknowledged, findConnection, findConnections } from './sim-store.ts'
import { hashOf } from './tokens.ts'

export interface LinkedDevice {
  readonly simId: ItemId
  readonly accountId: AccountId
  readonly projectId: ItemId
  readonly deviceId: string
  /** Of the secret that it has shown. */
  readonly secretHash: string
}

/** What a device sends: a message, or the bytes of one value under this tag. */
export interface Content {
  readonly tag: string | undefined
  readonly bytes: Buffer
}

interface Parts {
  readonly database: Database
  readonly tools: MessageTools
  readonly now: () => Date
  readonly log: Log
}

const ICCID = /^\d{1,22}$/

export class DeviceLinks {
  readonly bytesMax = MESSAGE_BYTES_MAX
  /** Whether other processes write messages that no signal tells of. */
  readonly isShared: boolean
  readonly #parts: Parts
  readonly #queue: MessageQueue
  readonly #acknowledgements: Acknowledgements

  constructor(parts: Parts) {
    this.isShared = parts.database.engine === 'postgres'
    this.#parts = parts
    this.#queue = new MessageQueue(parts.tools, parts.now)
    this.#acknowledgements = new Acknowledgements(parts.database, parts.log)
  }

  /** Refuses a wrong card or secret, and a device that may not use the network. */
  async identify(iccid: string, secret: string): Promise<LinkedDevice> {
    const found = await this.#parts.database.read(async (tx) => {
      const sim = ICCID.test(iccid) ? await findSim(tx, { iccid }) : undefined
      if (sim === undefined) return undefined
      const hash = (await findSecrets(tx, [sim.id])).get(sim.id)
      return { sim, hash, link: await findConnection(tx, sim.id) }
    })
    const secretHash = hashOf(secret)
    const isSame = isSameSecret(secretHash, found?.hash ?? '')
    if (found === undefined || !isSame) {
      throw new Unauthorized(
        'The card or the secret of the device is wrong.',
        'カードまたはデバイスのシークレットが誤っています。',
      )
    }
    const { sim, link } = found
    if (link === undefined || !sim.activated) {
      throw new Conflict(
        `SIM ${sim.id} is connected to no project, or not activated.`,
        `SIM ${sim.id} はプロジェクトに接続されていないか、有効化されていません。`,
      )
    }
    const { projectId, deviceId } = link
    return { simId: sim.id, accountId: sim.accountId, projectId, deviceId, secretHash }
  }

  /** Of these devices, the SIMs of those that would be refused now, or be another device. */
  listEnded(devices: readonly LinkedDevice[]): Promise<ReadonlySet<LinkedDevice>> {
    const simIds = devices.map(({ simId }) => simId)
    return this.#parts.database.read(async (tx) => {
      const [sims, links, hashes] = await Promise.all([
        findSims(tx, simIds),
        findConnections(tx, simIds),
        findSecrets(tx, simIds),
      ])
      const isEnded = ({ simId, deviceId, secretHash }: LinkedDevice) =>
        sims.get(simId)?.activated !== true ||
        links.get(simId)?.deviceId !== deviceId ||
        hashes.get(simId) !== secretHash
      return new Set(devices.filter(isEnded))
    })
  }

  limits(): Promise<{ readonly connections: number; readonly messagesPerSecond: number }> {
    return this.#parts.database.read(async (tx) => {
      const settings = new SettingStore(tx)
      return {
        connections: await settings.get('iot_connections_per_account'),
        messagesPerSecond: await settings.get('iot_device_messages_per_second'),
      }
    })
  }

  /** Answers with the session as it was. A clean one begins without subscriptions. */
  openSession(
    { simId }: LinkedDevice,
    client: string,
    openedBy: string,
    isClean: boolean,
  ): Promise<Session | undefined> {
    return this.#parts.database.write(async (tx) => {
      const store = new SessionStore(tx, simId)
      const before = await store.find(client)
      const subscriptions = isClean ? [] : (before?.subscriptions ?? [])
      await store.open(client, { openedBy, subscriptions }, this.#parts.now())
      return before
    })
  }

  subscribe(
    { simId }: LinkedDevice,
    openedBy: string,
    subscriptions: readonly Subscription[],
  ): Promise<void> {
    return this.#parts.database.write((tx) =>
      new SessionStore(tx, simId).subscribe(openedBy, subscriptions),
    )
  }

  closeSession({ simId }: LinkedDevice, openedBy: string, isKept: boolean): Promise<void> {
    return this.#parts.database.write((tx) => new SessionStore(tx, simId).close(openedBy, isKept))
  }

  /** Fulfilled when it is durable; a refusal comes back as the text that tells the device of it. */
  async send(
    { simId, projectId }: LinkedDevice,
    { tag, bytes }: Content,
    receipt: string | undefined,
    mayBeRepeat: boolean,
  ): Promise<string | undefined> {
    const draft = readDraft(tag, bytes)
    if (draft instanceof Refusal) return this.#errorText(draft)
    // What it rejects with is no word about the message, also where it is a refusal: the database may be away.
    const refusal = await this.#queue.send(projectId, { simId, draft, receipt, mayBeRepeat })
    return refusal && this.#errorText(refusal, draft.ref)
  }

  acknowledged({ deviceId }: LinkedDevice): Promise<number> {
    return this.#parts.database.read((tx) => findAcknowledged(tx, deviceId))
  }

  acknowledge({ deviceId }: LinkedDevice, number: number): void {
    this.#acknowledgements.add(deviceId, number)
  }

  /** All that was acknowledged is kept. */
  idle(): Promise<void> {
    return this.#acknowledgements.idle()
  }

  async read({ deviceId }: LinkedDevice, after: number, most: number): Promise<News[]> {
    const messages = await this.#parts.database.read((tx) =>
      new MessageStore(tx).listForDevice(deviceId, after, most),
    )
    return messages.map((message) => ({
      number: message.number,
      text: JSON.stringify(messageToWire(message)),
    }))
  }

  /** The number of the newest message, and, after a number, the devices that those after it are for. */
  readSince(
    projectId: ItemId,
    after: number | undefined,
  ): Promise<{ readonly newest: number; readonly deviceIds: readonly string[] | undefined }> {
    return this.#parts.database.read(async (tx) => ({
      newest: (await newestNumbers(tx, [projectId])).get(projectId) ?? 0,
      deviceIds:
        after === undefined
          ? undefined
          : await new MessageStore(tx).listReceivers(projectId, after),
    }))
  }

  /** Calls for each device that may have a new message. */
  listen(listener: (deviceId: string) => void): () => void {
    return this.#parts.tools.signals.listenForDevices(listener)
  }

  #errorText(refusal: Refusal, ref?: string): string {
    return JSON.stringify(errorToWire(refusal, this.#parts.now(), ref))
  }
}

function readDraft(tag: string | undefined, bytes: Buffer): MessageDraft | Refusal {
  try {
    return tag === undefined ? draftFromBytes(bytes) : draftFromValue(tag, bytes)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
