/** Keeps what clients asked and were told, for the operator to look at (docs/adr/0073). */
import type { Operation } from '../kernel/contract.ts'
import { BODY_BYTES_MAX, type RequestLog } from '../services/control/public.ts'
import type { Outcome } from './answers.ts'

export interface Inspection {
  readonly log: Pick<RequestLog, 'add' | 'addChange' | 'endStreams'>
  /** False where people's secrets are real: then only heads are kept. */
  readonly keepBodies: boolean
}

export function inspector({ log, keepBodies }: Inspection): (outcome: Outcome) => void {
  // As they are, without a copy: nobody changes a body any more.
  const keep = (body: unknown) => {
    if (!keepBodies || !(typeof body === 'string' || Buffer.isBuffer(body))) return undefined
    return body.length > BODY_BYTES_MAX ? undefined : body
  }
  return ({ arrival, status, body: answer, at: time, milliseconds }) => {
    const { serial, method, name, caller, changes = {} } = arrival
    if (!arrival.isInspected) {
      // What the operator does is not kept, but whoever watches the state is told that it changed.
      if (Object.keys(changes).length > 0) log.addChange({ time, source: { serial }, changes })
      return
    }
    log.add({
      serial,
      time,
      method,
      path: arrival.url,
      operation: name,
      contract: arrival.operation,
      account: caller?.accountCode,
      status,
      durationMs: Math.round(milliseconds * 1000) / 1000,
      // What was refused has been rolled back.
      changes: status < 400 ? changes : {},
      body: keep(arrival.body),
      answer: keep(answer),
    })
  }
}

/** Calls of the operator carry worlds and snapshots, and looking would show itself. */
export function isInspected({ access }: Operation): boolean {
  return access !== 'operator' && access !== 'loopback' && access !== 'public'
}
