import type { Handlers } from '../../kernel/contract.ts'
import { Conflict } from '../../kernel/errors.ts'
import type { Wake } from '../../kernel/job.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import { queue } from './deliveries.ts'
import { DeliveryStore } from './delivery-store.ts'
import type { webhookOutboxContract } from './message-contract.ts'
import { MessageStore } from './message-store.ts'
import { messageToWire } from './message-wire.ts'
import { findProject } from './project-store.ts'
import { deliveryToWire } from './webhook-wire.ts'

export function webhookOutboxHandlers(
  wake: Wake,
): Handlers<typeof webhookOutboxContract, OperatorContext> {
  return {
    webhookOutboxList: ({ query }, { database }) =>
      database.read(async (tx) => {
        const store = new DeliveryStore(tx)
        const { total, deliveries } = await store.list(query)
        const attempts = await store.listAttempts(deliveries.map(({ id }) => id))
        const webhooks = deliveries.map((one) => deliveryToWire(one, attempts.get(one.id) ?? []))
        return { From: query.from, Count: webhooks.length, Total: total, webhooks }
      }),

    webhookOutboxRead: ({ params }, { database }) =>
      database.read(async (tx) => {
        const store = new DeliveryStore(tx)
        const found = await store.get(Number(params.webhook_id))
        const attempts = await store.listAttempts([found.id])
        const message = await new MessageStore(tx).find(found.projectId, found.number)
        // A message is kept as long as there is a delivery of it.
        if (message === undefined) throw new Error(`Webhook ${found.id} has no message.`)
        const webhook = deliveryToWire(found, attempts.get(found.id) ?? [])
        return { webhook: { ...webhook, message: messageToWire(message) } }
      }),

    webhookOutboxRedeliver: ({ params }, { database, now, concerns }) =>
      database.write(async (tx) => {
        const store = new DeliveryStore(tx)
        const found = await store.get(Number(params.webhook_id))
        const project = await findProject(tx, found.projectId)
        if (project !== undefined) {
          concerns((await new AccountStore(tx).get(project.accountId)).code)
        }
        if (found.status === 'waiting') {
          throw new Conflict(
            `Webhook ${found.id} is waiting already.`,
            `Webhook ${found.id} は既に待機中です。`,
          )
        }
        const delivery = { ...found, status: 'waiting' as const, doneAt: undefined }
        await store.update(delivery)
        await queue(tx, { deliveryId: found.id, isOrdered: true }, now, wake)
        const attempts = await store.listAttempts([found.id])
        return { webhook: deliveryToWire(delivery, attempts.get(found.id) ?? []) }
      }),
  }
}
