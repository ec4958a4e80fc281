/** Keeps what clients asked and were told, for the operator to look at (docs/adr/0073). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../kernel/clock.ts'
import { BODY_BYTES_MAX, type RequestLog } from '../services/control/public.ts'

export interface Inspection {
  readonly log: RequestLog
  /** False where people's secrets are real: then only heads are kept. */
  readonly keepBodies: boolean
}

export function inspect(server: FastifyInstance, { log, keepBodies }: Inspection, clock: Clock) {
  const answers = new WeakMap<FastifyRequest, Buffer>()
  const keep = (body: unknown) => {
    if (!keepBodies || !(typeof body === 'string' || Buffer.isBuffer(body))) return undefined
    return body.length > BODY_BYTES_MAX ? undefined : Buffer.from(body)
  }
  server.addHook('onSend', async (request, _reply, payload) => {
    const answer = isInspected(request) ? keep(payload) : undefined
    if (answer !== undefined) answers.set(request, answer)
    return payload
  })
  server.addHook('onResponse', async (request, reply) => {
    if (!isInspected(request)) return
    const { serial, operation, caller, elapsedMs, changes = {} } = request.arrival
    log.add({
      serial,
      time: clock.now(),
      method: request.method,
      path: request.url,
      operation: operation?.name ?? 'unknown',
      contract: operation?.operation,
      account: caller?.accountCode,
      status: reply.statusCode,
      durationMs: Math.round(elapsedMs() * 1000) / 1000,
      // What was refused has been rolled back.
      changes: reply.statusCode < 400 ? changes : {},
      body: keep(request.body),
      answer: answers.get(request),
    })
  })
  // A stream of events would hold up the closing for ever.
  server.addHook('preClose', async () => log.endStreams())
}

/** Calls of the operator carry worlds and snapshots, and looking would show itself. */
function isInspected(request: FastifyRequest): boolean {
  // What the framework refuses before its first hook has no arrival yet.
  const { arrival }: Partial<Pick<FastifyRequest, 'arrival'>> = request
  if (arrival === undefined || isPage(request)) return false
  const access = arrival.operation?.operation.access
  return access !== 'operator' && access !== 'loopback' && access !== 'public'
}

/** The console's own files are no calls of the interface. */
export const PAGE_ROUTE = { config: { isPage: true } }

function isPage({ routeOptions }: FastifyRequest): boolean {
  return Object(routeOptions?.config).isPage === true
}
