/** One line in the log for each answered request, and the counts. */
import { utcMillis } from '../kernel/datetime.ts'
import type { Log } from '../kernel/log.ts'
import type { Outcome } from './answers.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface LineOptions {
  readonly log: Log
  readonly metrics: RequestMetrics
}

export function lineWriter({ log, metrics }: LineOptions): (outcome: Outcome) => void {
  return ({ arrival, status, at, milliseconds }) => {
    const { serial, method, name, caller } = arrival
    metrics.record(name, status, milliseconds)
    if (!log.hasRequests) return
    const { requestId } = arrival
    const account = caller?.accountCode
    const ms = Math.round(milliseconds * 1000) / 1000
    // By hand: what can hold anything is quoted by JSON; the rest are numbers, our own names, and a method
    // that the parser knows.
    const shownId = requestId === serial ? `"${serial}"` : JSON.stringify(requestId)
    const shownAccount = account === undefined ? '' : `"account":${JSON.stringify(account)},`
    log.line(
      `{"level":"info","time":"${utcMillis(at)}","serial":"${serial}","request_id":${shownId},"method":"${method}","operation":"${name}",${shownAccount}"status":${status},"ms":${ms}}\n`,
    )
  }
}
