/** Hands requests and answers to the inspector of the operator API (docs/adr/0004-secret-type.md). */
import type { Changes } from '../kernel/changes.ts'
import type { Operation } from '../kernel/contract.ts'
import type { Outcome } from './answer.ts'

export interface InspectedRequest {
  readonly serial: string
  readonly time: Date
  readonly method: string
  readonly path: string
  readonly operation: string
  readonly contract: Operation | undefined
  readonly account: string | undefined
  /** What the client calls itself. */
  readonly client: string | undefined
  readonly status: number
  readonly durationMs: number
  /** Rows changed, by table. */
  readonly changes: Changes
  readonly body: Buffer | string | undefined
  readonly answer: Buffer | string | undefined
}

export interface InspectedChange {
  readonly time: Date
  readonly source: { readonly serial: string }
  readonly changes: Changes
}

/** Who keeps them. */
export interface Inspection {
  readonly log: {
    add(request: InspectedRequest): void
    addChange(change: InspectedChange): void
    endStreams(): void
  }
  /** The size of the largest body that is kept; 0 where people's secrets are real. */
  readonly bodyBytesMax: number
}

export function inspect({ log, bodyBytesMax }: Inspection, outcome: Outcome): void {
  const { exchange, status, body: answer, at: time, milliseconds } = outcome
  const { serial, method, name, caller, changes = {} } = exchange
  if (!exchange.isInspected) {
    // Calls of the operator are not kept, but their changes are events.
    if (Object.keys(changes).length > 0) log.addChange({ time, source: { serial }, changes })
    return
  }
  // Without a copy: nobody changes a body any more.
  const keep = (body: Buffer | string | undefined) =>
    body === undefined || body.length > bodyBytesMax ? undefined : body
  log.add({
    serial,
    time,
    method,
    path: exchange.url,
    operation: name,
    contract: exchange.operation,
    account: caller?.accountCode,
    client: exchange.client,
    status,
    durationMs: Math.round(milliseconds * 1000) / 1000,
    changes,
    body: keep(exchange.body),
    answer: keep(answer),
  })
}

/** Calls of the operator carry worlds and snapshots, and reading the inspector would show itself. */
export function isInspected({ access, unlisted }: Operation): boolean {
  return !unlisted && access !== 'operator' && access !== 'loopback' && access !== 'public'
}
