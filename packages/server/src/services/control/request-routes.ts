import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import { type Locks, refuseWithWorkers } from './lock.ts'
import type { requestContract } from './request-contract.ts'
import type { RequestLog } from './request-log.ts'
import type { Hides, Kept } from './request-rules.ts'
import { detailToWire, eventText, harText, summaryToWire } from './request-wire.ts'
import { unreadFields } from './unread-rules.ts'

export function requestHandlers(
  log: RequestLog,
  hiding: Hides,
  locks: Locks,
): Handlers<typeof requestContract, OperatorContext> {
  return {
    async requestList() {
      refuseWithWorkers(locks)
      return { requests: log.list().map((entry) => summaryToWire(entry, hiding)) }
    },

    async requestRead({ params }, { origin }) {
      refuseWithWorkers(locks)
      const entry = log.get(params.serial)
      return { request: detailToWire(entry, { origin, hiding, unread: unreadOf(entry, hiding) }) }
    },

    async requestArchive(_input, { origin }) {
      refuseWithWorkers(locks)
      return harText(log.list(), origin, hiding)
    },

    async eventStream(_input, { lastEventId }) {
      refuseWithWorkers(locks)
      const after = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined
      return log.stream(after, (event) => eventText(event, hiding))
    },
  }
}

function unreadOf(entry: Kept, hiding: Hides): string[] {
  const { body } = entry
  const schema = hiding.bodySchema(entry)
  if (schema === undefined || body === undefined || body.length === 0) return []
  try {
    return unreadFields(JSON.parse(body.toString()), schema)
  } catch {
    // Not JSON: it was refused as a whole.
    return []
  }
}
