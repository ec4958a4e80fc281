/** Messages as those who stay connected see them: what a plane is handed, without a database in sight. */
import { BadRequest, Refusal } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database } from '../../storage/database.ts'
import type { Adapter } from './adapter-rules.ts'
import { listAdapterIds } from './adapter-store.ts'
import { identifyAdapter } from './incoming-routes.ts'
import { MESSAGE_BYTES_MAX, readSince } from './message-rules.ts'
import { MessageStore } from './message-store.ts'
import { draftFromBytes, errorToWire, messageToWire, notifyToWire } from './message-wire.ts'
import { acceptForDevice } from './messages.ts'
import type { ProjectQueue } from './project-queue.ts'
import { newestNumbers } from './project-store.ts'
import type { Signals } from './signals.ts'

export interface News {
  readonly number: number
  /** The message as it is sent. */
  readonly text: string
}

export class LiveMessages {
  readonly bytesMax = MESSAGE_BYTES_MAX
  /** Whether other processes write messages that no signal tells of. */
  readonly isShared: boolean
  readonly #database: Database
  readonly #box: SecretBox
  readonly #signals: Signals
  readonly #queue: ProjectQueue

  constructor(database: Database, box: SecretBox, signals: Signals, projectQueue: ProjectQueue) {
    this.isShared = database.engine === 'postgres'
    this.#database = database
    this.#box = box
    this.#signals = signals
    this.#queue = projectQueue
  }

  /** Refuses a token that is no websocket adapter's. */
  identify(token: string | undefined): Promise<Adapter> {
    return identifyAdapter(this.#database, this.#box, 'websocket', token)
  }

  /** The number after which a reader begins: that of the message it has seen last, or the newest. */
  async start({ projectId }: Adapter, since: string | undefined): Promise<number> {
    const given = readSince(since, projectId)
    return given ?? (await this.newest([projectId])).get(projectId) ?? 0
  }

  newest(projectIds: readonly ItemId[]): Promise<ReadonlyMap<ItemId, number>> {
    return this.#database.read((tx) => newestNumbers(tx, projectIds))
  }

  /** Undefined when the adapter is no more. */
  read({ id, projectId }: Adapter, after: number, most: number): Promise<News[] | undefined> {
    return this.#database.read(async (tx) => {
      const adapters = await listAdapterIds(tx, [projectId])
      if (!adapters.some((adapter) => adapter.id === id)) return undefined
      const messages = await new MessageStore(tx).listFromDevices(projectId, after, most)
      return messages.map((message) => ({
        number: message.number,
        text: JSON.stringify(messageToWire(message)),
      }))
    })
  }

  /** Hands a message to a device; the answer is a notify or an error. */
  async accept({ projectId }: Adapter, bytes: Buffer, now: Date): Promise<string> {
    let ref: string | undefined
    try {
      const draft = draftFromBytes(bytes)
      ref = draft.ref
      const message = await this.#queue.write(projectId, (tx) =>
        acceptForDevice(tx, projectId, draft, now, this.#signals),
      )
      return JSON.stringify(notifyToWire(message, ref))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return JSON.stringify(errorToWire(error, now, ref))
    }
  }

  /** A message that is no text. */
  refuseBinary(now: Date): string {
    const refusal = new BadRequest('A message is text, not binary.', 'メッセージはテキストです。')
    return JSON.stringify(errorToWire(refusal, now, undefined))
  }

  listen(listener: (projectId: ItemId) => void): () => void {
    return this.#signals.listen(listener)
  }
}
