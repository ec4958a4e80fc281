import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import type { requestContract } from './request-contract.ts'
import type { RequestLog } from './request-log.ts'
import type { Hides, Kept } from './request-rules.ts'
import { detailToWire, eventText, harText, summaryToWire } from './request-wire.ts'
import { unreadFields } from './unread-rules.ts'

export function requestHandlers(
  log: RequestLog,
  hiding: Hides,
): Handlers<typeof requestContract, OperatorContext> {
  return {
    async requestList() {
      return { requests: log.list().map((entry) => summaryToWire(entry, hiding)) }
    },

    async requestRead({ params }, { origin }) {
      const entry = log.get(params.serial)
      return { request: detailToWire(entry, { origin, hiding, unread: unreadOf(entry) }) }
    },

    async requestArchive(_input, { origin }) {
      return harText(log.list(), origin, hiding)
    },

    async eventStream(_input, { lastEventId }) {
      const after = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined
      return log.stream(after, (event) => eventText(event, hiding))
    },
  }
}

function unreadOf({ contract, body }: Kept): string[] {
  if (contract?.body === undefined || body === undefined || body.length === 0) return []
  try {
    return unreadFields(JSON.parse(body.toString()), contract.body)
  } catch {
    // Not JSON: it was refused as a whole.
    return []
  }
}
