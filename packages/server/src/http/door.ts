/**
 * Who may come in, and what is opened for them: a door per kind of caller. `admit` runs before the body
 * is read, so that a stranger learns nothing from a 400 or 404; `within` runs the handler.
 */
import { type Caller, REALM } from '../kernel/caller.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import { Refusal } from '../kernel/errors.ts'
import type {
  AccountContext,
  Context,
  OperatorContext,
  Visit,
  VisitorContext,
} from '../services/context.ts'
import { ChangeCount } from '../storage/changes.ts'
import type { Database, Tx } from '../storage/database.ts'
import type { Incoming } from './arrival.ts'
import { checkAccess, isAllowed } from './auth/access.ts'
import type { BasicDoor } from './auth/basic.ts'
import { checkBearer, checkSite } from './auth/bearer.ts'
import type { DigestDoor } from './auth/digest.ts'
import { originOf } from './origin.ts'

export interface Door<HandlerContext> {
  /** The challenges of a 401. */
  challenges(): readonly string[]
  admit(request: Incoming, operation: Operation): Promise<void>
  /**
   * The caller of a request that `admit` would let in without looking anything up; undefined when it has
   * to be asked. Doors without it are not on the express lane (lane.ts).
   */
  known?(authorization: string | undefined, operation: Operation): Caller | undefined
  within<T>(
    request: Incoming,
    operation: Operation,
    work: (context: HandlerContext) => Promise<T>,
  ): Promise<T>
}

/** What every door needs to tell a handler about a request. */
interface DoorOptions {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string | undefined
  readonly bigintHeader: string
}

export interface KeyDoorOptions extends DoorOptions {
  readonly basic: BasicDoor
  /** Where Digest is accepted too. */
  readonly digest?: DigestDoor
  /** Counts the call of a known caller; answers with the refusal when there were too many. */
  readonly countCall?: (caller: Caller) => Promise<Error | undefined>
}

export function keyDoor(options: KeyDoorOptions): Door<Context> {
  const { database } = options
  return {
    ...accountDoor(options),
    within(request, operation, work) {
      const { zone } = request.arrival
      if (zone === undefined) throw new Error('The path has no zone.')
      return within(database, request, operation, options, (context) => work({ ...context, zone }))
    },
  }
}

/** One transaction for one request of a known caller. */
function within<T>(
  database: Database,
  request: Incoming,
  operation: Operation,
  options: DoorOptions,
  work: (context: AccountContext) => Promise<T>,
): Promise<T> {
  const { caller } = request.arrival
  if (caller === undefined) throw new Error('The request was not admitted.')
  const visit = visitOf(request, options)
  // What a reading request did not change needs no counting, and there is nothing to keep.
  if (operation.method === 'GET') return database.read((tx) => work({ tx, caller, ...visit }))
  return writeKeeping(database, (tx) => {
    const count = new ChangeCount()
    request.arrival.changes = count.changes
    return work({ tx: count.of(tx), caller, ...visit })
  })
}

/** For operations that let in strangers who send the header that the operation names (docs/adr/0106). */
export function visitorDoor(options: KeyDoorOptions): Door<VisitorContext> {
  const { known: _, ...account } = accountDoor(options)
  return {
    ...account,
    async admit(request, operation) {
      const { headers } = request
      const { openWith } = operation
      const isOpen = openWith !== undefined && headers[openWith.header] === openWith.value
      // Credentials that are sent are looked at: wrong ones are no way in.
      if (!isOpen || headers.authorization !== undefined) await account.admit(request, operation)
    },
    within: (request, _operation, work) =>
      options.database.read((tx) =>
        work({ tx, caller: request.arrival.caller, ...visitOf(request, options) }),
      ),
  }
}

/** For operations without a zone in their path. */
export function accountDoor(options: KeyDoorOptions): Door<AccountContext> {
  const { basic, digest, database, countCall } = options
  return {
    challenges: () => [`Basic realm="${REALM}", charset="UTF-8"`, ...(digest?.challenges() ?? [])],
    ...(countCall === undefined && {
      known(authorization: string | undefined, operation: Operation) {
        const caller = authorization === undefined ? undefined : basic.known(authorization)
        return caller !== undefined && isAllowed(caller, operation) ? caller : undefined
      },
    }),
    async admit(request, operation) {
      const header = request.headers.authorization
      const caller =
        digest !== undefined && header !== undefined && /^digest /i.test(header)
          ? await digest.identify(header, request.method, request.originalUrl)
          : await basic.identify(header)
      request.arrival.caller = caller
      // Every call of a known caller counts, but a key that may not do this is told so first.
      const tooMany = await countCall?.(caller)
      checkAccess(caller, operation)
      if (tooMany !== undefined) throw tooMany
    },
    within: (request, operation, work) => within(database, request, operation, options, work),
  }
}

/** Rolls back what a refusal leaves behind, unless it says that it keeps it. */
async function writeKeeping<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const outcome = await database.write(async (tx) => {
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

export interface OperatorDoorOptions extends DoorOptions {
  readonly token: string
  readonly ownNames: ReadonlySet<string>
}

export function operatorDoor(options: OperatorDoorOptions): Door<OperatorContext> {
  const { token, ownNames, database } = options
  return {
    challenges: () => ['Bearer realm="Kumoi operator"'],
    async admit(request, operation) {
      checkSite(request.headers, ownNames)
      if (operation.access === 'public') return
      if (operation.access === 'loopback' && isLoopback(request)) return
      checkBearer(request.headers.authorization, token)
    },
    within: (request, _operation, work) => work({ database, ...visitOf(request, options) }),
  }
}

function visitOf(request: Incoming, { clock, publicUrl, bigintHeader }: DoorOptions): Visit {
  const lastEventId = request.headers['last-event-id']
  return {
    now: clock.now(),
    origin: originOf(request, publicUrl),
    asNumbers: request.headers[bigintHeader] === '1',
    ...(typeof lastEventId === 'string' && { lastEventId }),
  }
}

/** The address of the peer itself: what a proxy says of its clients does not make them local. */
function isLoopback(request: Incoming): boolean {
  const address = request.socket.remoteAddress ?? ''
  const forwarded = request.headers['x-forwarded-for'] !== undefined
  return !forwarded && (/^(::ffff:)?127\./.test(address) || address === '::1')
}
