/** Keeps what clients asked and were told, for the operator to look at (docs/adr/0073). */
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import { BODY_BYTES_MAX, type RequestLog, readablePath } from '../services/control/public.ts'
import type { Incoming } from './arrival.ts'

export interface Inspection {
  readonly log: RequestLog
  /** False where people's secrets are real: then only heads are kept. */
  readonly keepBodies: boolean
}

/** Told of a request that was answered, by whoever has answered it. */
export type Inspect = (request: Incoming, status: number, answer: unknown) => void

export function inspector({ log, keepBodies }: Inspection, clock: Clock): Inspect {
  // As they are, without a copy: nobody changes a body any more.
  const keep = (body: unknown) => {
    if (!keepBodies || !(typeof body === 'string' || Buffer.isBuffer(body))) return undefined
    return body.length > BODY_BYTES_MAX ? undefined : body
  }
  return (request, status, answer) => {
    if (!isInspected(request)) return
    const { serial, operation, caller, elapsedMs, changes = {} } = request.arrival
    log.add({
      serial,
      time: clock.now(),
      method: request.method,
      // The framework leaves params untyped; they are texts by name.
      path: readablePath(request.url, request.params as Record<string, string>),
      operation: operation?.name ?? 'unknown',
      account: caller?.accountCode,
      status,
      durationMs: Math.round(elapsedMs() * 1000) / 1000,
      // What was refused has been rolled back.
      changes: status < 400 ? changes : {},
      body: keep(request.body),
      answer: keep(answer),
    })
  }
}

/** For what the framework answers. */
export function inspect(server: FastifyInstance, note: Inspect, log: RequestLog): void {
  const answers = new WeakMap<Incoming, unknown>()
  server.addHook('onSend', (request, _reply, payload, done) => {
    if (isInspected(request)) answers.set(request, payload)
    done(null, payload)
  })
  server.addHook('onResponse', (request, reply, done) => {
    note(request, reply.statusCode, answers.get(request))
    done()
  })
  // A stream of events would hold up the closing for ever.
  server.addHook('preClose', async () => log.endStreams())
}

/** Calls of the operator carry worlds and snapshots, and looking would show itself. */
function isInspected({ arrival }: Partial<Pick<Incoming, 'arrival'>>): boolean {
  // What the framework refuses before its first hook has no arrival yet.
  if (arrival === undefined) return false
  const access = arrival.operation?.operation.access
  return access !== 'operator' && access !== 'loopback' && access !== 'public'
}
