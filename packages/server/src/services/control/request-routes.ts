import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import type { requestContract } from './request-contract.ts'
import type { RequestLog } from './request-log.ts'
import type { Kept } from './request-rules.ts'
import { detailToWire, eventText, harText, summaryToWire } from './request-wire.ts'
import { unreadFields } from './unread-rules.ts'

/** `bodyOf` knows what an operation reads of a body. */
export function requestHandlers(
  log: RequestLog,
  bodyOf: (operation: string) => unknown,
): Handlers<typeof requestContract, OperatorContext> {
  return {
    async requestList() {
      return { requests: log.list().map(summaryToWire) }
    },

    async requestRead({ params }, { origin }) {
      const entry = log.get(params.serial)
      return { request: detailToWire(entry, origin, unreadOf(entry, bodyOf)) }
    },

    async requestArchive(_input, { origin }) {
      return harText(log.list(), origin)
    },

    async eventStream(_input, { lastEventId }) {
      const after = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined
      return log.stream(after, eventText)
    },
  }
}

function unreadOf({ operation, body }: Kept, bodyOf: (operation: string) => unknown): string[] {
  const schema = bodyOf(operation)
  if (schema === undefined || body === undefined || body.length === 0) return []
  try {
    return unreadFields(JSON.parse(body.toString()), schema)
  } catch {
    // Not JSON: it was refused as a whole.
    return []
  }
}
