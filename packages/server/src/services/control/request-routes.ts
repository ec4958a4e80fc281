import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import type { requestContract } from './request-contract.ts'
import type { RequestLog } from './request-log.ts'
import { detailToWire, eventText, harText, summaryToWire } from './request-wire.ts'

export function requestHandlers(
  log: RequestLog,
): Handlers<typeof requestContract, OperatorContext> {
  return {
    async requestList() {
      return { requests: log.list().map(summaryToWire) }
    },

    async requestRead({ params }, { origin }) {
      return { request: detailToWire(log.get(params.serial), origin) }
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
