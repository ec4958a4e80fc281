/**
 * Messages of devices that stay connected, by project: those that wait together are stored by one transaction. Each
 * in its own would cost more, and on PostgreSQL they would collide, since a project's numbers are in one row
 * (docs/adr/0023-message-numbers.md).
 */
import { yieldToEventLoop } from '../../kernel/clock.ts'
import type { Refusal } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import { acceptFromDevices, type MessageTools, type Sent } from './messages.ts'

/** Bounds how long one transaction takes. */
const AT_ONCE = 250

interface Waiting {
  readonly sent: Sent
  resolve(refusal: Refusal | undefined): void
  reject(error: unknown): void
}

export class MessageQueue {
  readonly #tools: MessageTools
  readonly #now: () => Date
  /** Of the projects that have some under way. */
  readonly #waiting = new Map<ItemId, Waiting[]>()

  constructor(tools: MessageTools, now: () => Date) {
    this.#tools = tools
    this.#now = now
  }

  /** Fulfilled when the message is durable, or with the reason why it is refused. */
  send(projectId: ItemId, sent: Sent): Promise<Refusal | undefined> {
    return new Promise((resolve, reject) => {
      const one = { sent, resolve, reject }
      const waiting = this.#waiting.get(projectId)
      if (waiting !== undefined) {
        waiting.push(one)
        return
      }
      this.#waiting.set(projectId, [one])
      void this.#drain(projectId)
    })
  }

  async #drain(projectId: ItemId): Promise<void> {
    for (;;) {
      // What other connections have received in the same iteration of the event loop comes along.
      await yieldToEventLoop()
      const batch = this.#waiting.get(projectId)?.splice(0, AT_ONCE) ?? []
      if (batch.length === 0) {
        this.#waiting.delete(projectId)
        return
      }
      await this.#store(projectId, batch)
    }
  }

  async #store(projectId: ItemId, batch: readonly Waiting[]): Promise<void> {
    const sent = batch.map((one) => one.sent)
    try {
      const refusals = await this.#tools.projectQueue.write(projectId, (tx) =>
        acceptFromDevices(tx, projectId, sent, this.#now(), this.#tools),
      )
      batch.forEach(({ resolve }, index) => {
        resolve(refusals[index])
      })
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }
}
