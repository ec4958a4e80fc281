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
  Identify,
  OperatorContext,
  TokenContext,
  Visit,
  VisitorContext,
} from '../services/context.ts'
import { ChangeCount, counting } from '../storage/changes.ts'
import type { Database, Tx } from '../storage/database.ts'
import type { Arrival } from './arrival.ts'
import { checkAccess } from './auth/access.ts'
import type { BasicDoor } from './auth/basic.ts'
import { bearerOf, checkBearer, checkSite } from './auth/bearer.ts'
import type { DigestDoor } from './auth/digest.ts'

export interface Door<HandlerContext> {
  /** Whether any process may stand at it: all that it and what is behind it know is in the database. */
  readonly isAnywhere?: boolean
  /** The challenges of a 401. */
  challenges(): readonly string[]
  /** Nothing to wait for when it can be said at once, as for a key that was verified a moment ago. */
  admit(arrival: Arrival, operation: Operation): Promise<void> | undefined
  within<T>(
    arrival: Arrival,
    operation: Operation,
    work: (context: HandlerContext) => Promise<T>,
  ): Promise<T>
}

/** What every door needs to tell a handler about a request. */
export interface DoorOptions {
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
  return {
    ...accountDoor(options),
    within(arrival, operation, work) {
      const { zone } = arrival
      if (zone === undefined) throw new Error('The path has no zone.')
      return transact(options, arrival, operation, (tx, caller) =>
        work({ tx, caller, zone, ...visitOf(arrival, options) }),
      )
    },
  }
}

/** For operations without a zone in their path. */
export function accountDoor(options: KeyDoorOptions): Door<AccountContext> {
  const { basic, digest, countCall } = options
  const admit = async (arrival: Arrival, operation: Operation) => {
    const header = arrival.headers.authorization
    const caller =
      digest !== undefined && header !== undefined && /^digest /i.test(header)
        ? await digest.identify(header, arrival.method, arrival.head.url ?? '')
        : await basic.identify(header)
    arrival.caller = caller
    // Every call of a known caller counts, but a key that may not do this is told so first.
    const tooMany = await countCall?.(caller)
    checkAccess(caller, operation)
    if (tooMany !== undefined) throw tooMany
  }
  return {
    isAnywhere: digest === undefined && countCall === undefined,
    challenges: () => [`Basic realm="${REALM}", charset="UTF-8"`, ...(digest?.challenges() ?? [])],
    admit(arrival, operation) {
      const known = countCall === undefined ? basic.known(arrival.headers.authorization) : undefined
      if (known === undefined) return admit(arrival, operation)
      arrival.caller = known
      checkAccess(known, operation)
      return undefined
    },
    within: (arrival, operation, work) =>
      transact(options, arrival, operation, (tx, caller) =>
        work({ tx, caller, ...visitOf(arrival, options) }),
      ),
  }
}

/** For operations that let in strangers who send the header that the operation names (docs/adr/0106). */
export function visitorDoor(options: KeyDoorOptions): Door<VisitorContext> {
  const account = accountDoor(options)
  return {
    ...account,
    admit(arrival, operation) {
      const { headers } = arrival
      const { openWith } = operation
      const isOpen = openWith !== undefined && headers[openWith.header] === openWith.value
      // Credentials that are sent are looked at: wrong ones are no way in.
      return isOpen && headers.authorization === undefined
        ? undefined
        : account.admit(arrival, operation)
    },
    within: (arrival, _operation, work) =>
      options.database.read((tx) =>
        work({ tx, caller: arrival.caller, ...visitOf(arrival, options) }),
      ),
  }
}

/** One transaction for one request of a known caller. */
function transact<T>(
  { database }: DoorOptions,
  arrival: Arrival,
  operation: Operation,
  work: (tx: Tx, caller: Caller) => Promise<T>,
): Promise<T> {
  const { caller } = arrival
  if (caller === undefined) throw new Error('The request was not admitted.')
  // What only reads has nothing to be counted, and nothing to keep.
  if (operation.method === 'GET') return database.read((tx) => work(tx, caller))
  return writeKeeping(database, (tx) => {
    const count = new ChangeCount()
    arrival.changes = count.changes
    return work(count.of(tx), caller)
  })
}

/** A refusal that is answered when what it keeps is durable. */
class Kept {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

/** Rolls back what a refusal leaves behind, unless it says that it keeps it. */
async function writeKeeping<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  const outcome = await database.write((tx) =>
    work(tx).catch((error: unknown) => {
      if (error instanceof Refusal && error.keepsWrites) return new Kept(error)
      throw error
    }),
  )
  if (outcome instanceof Kept) throw outcome.refusal
  return outcome
}

export interface OperatorDoorOptions extends DoorOptions {
  readonly token: string
  readonly ownNames: ReadonlySet<string>
  /** Waits until all processes beside this one know what a call has changed (docs/adr/0160). */
  readonly settled?: (() => Promise<void>) | undefined
}

export function operatorDoor(options: OperatorDoorOptions): Door<OperatorContext> {
  const { token, ownNames, database, settled } = options
  return {
    challenges: () => ['Bearer realm="Kumoi operator"'],
    admit(arrival, { access }) {
      checkSite(arrival.headers, ownNames)
      const isOpen = access === 'public' || (access === 'loopback' && isLoopback(arrival))
      if (!isOpen) checkBearer(arrival.headers.authorization, token)
      return undefined
    },
    async within(arrival, _operation, work) {
      const count = new ChangeCount()
      arrival.changes = count.changes
      try {
        return await work({ database: counting(database, count), ...visitOf(arrival, options) })
      } finally {
        await settled?.()
      }
    },
  }
}

/** For tokens that a slice hands out itself: it says whose one is. */
export function tokenDoor<Holder>(
  options: DoorOptions,
  identify: Identify<Holder>,
): Door<TokenContext<Holder>> {
  const { database, clock } = options
  return {
    challenges: () => ['Bearer realm="Kumoi"'],
    async admit(arrival) {
      const bearer = bearerOf(arrival.headers.authorization)
      arrival.holder = await identify({ bearer, params: arrival.params }, clock.now())
    },
    within(arrival, _operation, work) {
      const header = (name: string) => arrival.headers[name]?.toString()
      // What `admit` has put there; the arrival cannot know its type.
      const holder = arrival.holder as Holder
      const count = new ChangeCount()
      arrival.changes = count.changes
      const counted = counting(database, count)
      return work({ database: counted, holder, header, ...visitOf(arrival, options) })
    },
  }
}

function visitOf(arrival: Arrival, { clock, publicUrl, bigintHeader }: DoorOptions): Visit {
  const { headers } = arrival
  const lastEventId = headers['last-event-id']
  return {
    now: clock.now(),
    // What addresses in answers begin with.
    origin: publicUrl ?? arrival.origin,
    asNumbers: headers[bigintHeader] === '1',
    ...(typeof lastEventId === 'string' && { lastEventId }),
  }
}

/** The address of the peer itself: what a proxy says of its clients does not make them local. */
function isLoopback({ head, headers }: Arrival): boolean {
  const address = head.socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for'] !== undefined
  return !forwarded && (/^(::ffff:)?127\./.test(address) || address === '::1')
}
