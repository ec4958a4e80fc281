/** One line in the log for each answered request. */
import { utcMillis } from '../kernel/datetime.ts'
import type { Log } from '../kernel/log.ts'
import type { Outcome } from './answer.ts'

export function logRequest(log: Log, { exchange, status, at, milliseconds }: Outcome): void {
  if (!log.hasRequests) return
  const { serial, requestId, method, name, caller } = exchange
  const account = caller?.accountCode
  const ms = Math.round(milliseconds * 1000) / 1000
  // Faster than JSON.stringify of an object. Quoted is what a client chooses; the rest are numbers, names
  // of ours, and a method that the parser knows.
  const shownId = requestId === serial ? `"${serial}"` : JSON.stringify(requestId)
  const shownAccount = account === undefined ? '' : `"account":${JSON.stringify(account)},`
  log.line(
    `{"level":"info","time":"${utcMillis(at)}","serial":"${serial}","request_id":${shownId},"method":"${method}","operation":"${name}",${shownAccount}"status":${status},"ms":${ms}}\n`,
  )
}
