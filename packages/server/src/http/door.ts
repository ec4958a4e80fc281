/**
 * Who may come in, and what is opened for them: a door per kind of caller. `admit` runs before the body
 * is read, so that a stranger learns nothing from a 400 or 404; `within` runs the handler.
 */
import type { FastifyRequest } from 'fastify'
import { REALM } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import { Refusal } from '../kernel/errors.ts'
import type { Context, OperatorContext } from '../services/context.ts'
import type { Database, Tx } from '../storage/database.ts'
import { checkAccess } from './auth/access.ts'
import type { BasicDoor } from './auth/basic.ts'
import { checkBearer, checkSite } from './auth/bearer.ts'
import { originOf } from './origin.ts'

export interface Door<HandlerContext> {
  /** The challenges of a 401. */
  readonly challenges: readonly string[]
  admit(request: FastifyRequest, operation: Operation): Promise<void>
  within<T>(
    request: FastifyRequest,
    operation: Operation,
    work: (context: HandlerContext) => Promise<T>,
  ): Promise<T>
}

export function keyDoor(options: {
  readonly basic: BasicDoor
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string | undefined
}): Door<Context> {
  const { basic, database, clock, publicUrl } = options
  return {
    challenges: [`Basic realm="${REALM}", charset="UTF-8"`],
    async admit(request, operation) {
      request.arrival.caller = await basic.identify(request.headers.authorization)
      checkAccess(request.arrival.caller, operation)
    },
    within(request, operation, work) {
      const { caller, zone } = request.arrival
      if (caller === undefined || zone === undefined)
        throw new Error('The request was not admitted.')
      const transact = operation.method === 'GET' ? 'read' : 'write'
      return transactKeeping(database, transact, (tx) =>
        work({ tx, caller, zone, now: clock.now(), origin: originOf(request, publicUrl) }),
      )
    },
  }
}

/** Rolls back what a refusal leaves behind, unless it says that it keeps it. */
async function transactKeeping<T>(
  database: Database,
  transact: 'read' | 'write',
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const outcome = await database[transact](async (tx) => {
    try {
      return { value: await work(tx) }
    } catch (error) {
      if (error instanceof Refusal && error.keepsWrites) return { refusal: error }
      throw error
    }
  })
  if ('refusal' in outcome) throw outcome.refusal
  return outcome.value
}

export function operatorDoor(options: {
  readonly token: string
  readonly ownNames: ReadonlySet<string>
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string | undefined
}): Door<OperatorContext> {
  const { token, ownNames, database, clock, publicUrl } = options
  return {
    challenges: ['Bearer realm="Kumoi operator"'],
    async admit(request, operation) {
      checkSite(request.headers, ownNames)
      if (operation.access === 'public') return
      if (operation.access === 'loopback' && isLoopback(request)) return
      checkBearer(request.headers.authorization, token)
    },
    within(request, _operation, work) {
      return work({ database, now: clock.now(), origin: originOf(request, publicUrl) })
    },
  }
}

/** The address of the peer itself: what a proxy says of its clients does not make them local. */
function isLoopback(request: FastifyRequest): boolean {
  const address = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for'] !== undefined
  return !forwarded && (/^(::ffff:)?127\./.test(address) || address === '::1')
}
