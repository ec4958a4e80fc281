import { utcMicros } from '../../kernel/datetime.ts'
import type { Attempt, Delivery } from './delivery-rules.ts'
import { messageId } from './message-rules.ts'

export function deliveryToWire(delivery: Delivery, attempts: readonly Attempt[]) {
  return {
    id: String(delivery.id),
    message_id: messageId(delivery),
    project_id: delivery.projectId,
    service_id: delivery.adapterId,
    status: delivery.status,
    attempts: delivery.attempts,
    reason: delivery.reason ?? null,
    response_code: delivery.responseCode ?? null,
    created_at: utcMicros(delivery.createdAt),
    done_at: delivery.doneAt === undefined ? null : utcMicros(delivery.doneAt),
    log: attempts.map(({ place, at, outcome, responseCode }) => ({
      attempt: place,
      time: utcMicros(at),
      outcome,
      response_code: responseCode ?? null,
    })),
  }
}
