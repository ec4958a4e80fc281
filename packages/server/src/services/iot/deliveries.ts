/** Hands messages to outgoing webhooks: as rows of the outbox first, which a job carries out. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { Outbox } from '../../storage/outbox.ts'
import { listReceivers } from './adapter-store.ts'
import { type Delivery, DISABLED } from './delivery-rules.ts'
import { DeliveryStore } from './delivery-store.ts'
import type { Message } from './message-rules.ts'

/** The outbox topic of webhooks, and the job that sends them. */
export const WEBHOOK = 'iot-webhook'

export interface WebhookEffect {
  readonly deliveryId: number
  /** The operator wants it tried though the receiver was found gone. */
  readonly isOrdered: boolean
}

/**
 * One for each message and receiver, in the transaction that accepts the messages. For a receiver that is disabled it
 * is dead at once.
 */
export async function queueDeliveries(
  tx: Tx,
  projectId: ItemId,
  messages: readonly Message[],
  wake: Wake,
): Promise<void> {
  const receivers = await listReceivers(tx, projectId)
  for (const { number, createdAt } of messages) {
    for (const { id: adapterId, isDisabled } of receivers) {
      const delivery: Delivery = {
        id: await tx.next('outbox'),
        ...{ projectId, number, adapterId, createdAt },
        ...{ attempts: 0, responseCode: undefined },
        ...(isDisabled
          ? { status: 'dead', reason: DISABLED, doneAt: createdAt }
          : { status: 'waiting', reason: undefined, doneAt: undefined }),
      }
      await new DeliveryStore(tx).insert(delivery)
      if (isDisabled) continue
      await queue(tx, { deliveryId: delivery.id, isOrdered: false }, createdAt, wake)
    }
  }
}

export async function queue(tx: Tx, effect: WebhookEffect, now: Date, wake: Wake): Promise<void> {
  await new Outbox<WebhookEffect>(tx, WEBHOOK).put(effect, now)
  tx.afterCommit(() => wake(WEBHOOK))
}
