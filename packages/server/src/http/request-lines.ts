/** One line in the log for each answered request, and the counts. */

import type { Clock } from '../kernel/clock.ts'
import { utcMillis } from '../kernel/datetime.ts'
import type { Log } from '../kernel/log.ts'
import type { Answered } from './answers.ts'
import type { RequestMetrics } from './request-metrics.ts'

export interface LineOptions {
  readonly clock: Clock
  readonly log: Log
  readonly metrics: RequestMetrics
}

export function lineWriter({ clock, log, metrics }: LineOptions): Answered {
  return (arrival, status) => {
    const { serial, method, name, caller, elapsedMs } = arrival
    metrics.record(name, status, elapsedMs)
    if (!log.hasRequests) return
    const { requestId } = arrival
    const account = caller?.accountCode
    const ms = Math.round(elapsedMs * 1000) / 1000
    // By hand: what can hold anything is quoted by JSON; the rest are numbers, our own names, and a method
    // that the parser knows.
    const shownId = requestId === serial ? `"${serial}"` : JSON.stringify(requestId)
    const shownAccount = account === undefined ? '' : `"account":${JSON.stringify(account)},`
    log.line(
      `{"level":"info","time":"${utcMillis(clock.now())}","serial":"${serial}","request_id":${shownId},"method":"${method}","operation":"${name}",${shownAccount}"status":${status},"ms":${ms}}\n`,
    )
  }
}
