/**
 * Who may call an operation, and in which context its handler runs: one `Access` per kind of caller.
 * `authenticate` runs before the body is received, so that a stranger learns nothing from a 400 or 404.
 */
import { AfterCommit } from '../../kernel/after-commit.ts'
import { type Caller, REALM } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Operation } from '../../kernel/contract.ts'
import { NotRecorded, Refusal } from '../../kernel/errors.ts'
import type {
  AccountContext,
  Context,
  Identify,
  OperatorContext,
  TokenContext,
  Visit,
  VisitorContext,
} from '../../services/context.ts'
import { ChangeCount, counting } from '../../storage/changes.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Audit, auditChange, audited } from '../audit.ts'
import type { Exchange } from '../exchange.ts'
import type { RequestRates } from '../request-rate.ts'
import type { BasicAuthenticator } from './basic.ts'
import { bearerOf, checkBearer, checkSite, type IsOwnName } from './bearer.ts'
import type { DigestAuthenticator } from './digest.ts'
import { checkLimits } from './key-limits.ts'
import { checkPermission } from './permission.ts'
import type { Throttle } from './throttle.ts'

export interface Access<HandlerContext> {
  /** The challenges of a 401. */
  challenges(): readonly string[]
  /** Throws unless the caller may use the operation. Undefined when that is known without waiting. */
  authenticate(exchange: Exchange, operation: Operation): Promise<void> | undefined
  runHandler<T>(
    exchange: Exchange,
    operation: Operation,
    handler: (context: HandlerContext) => Promise<T>,
  ): Promise<T>
}

/** What the context of every handler needs. */
export interface AccessOptions {
  readonly database: Database
  readonly clock: Clock
  readonly audit: Audit
  readonly publicUrl: string | undefined
  readonly bigintHeader: string
  readonly throttle: Throttle
}

export interface ApiKeyOptions extends AccessOptions {
  readonly basic: BasicAuthenticator
  /** Called with every request of a key; takes no time. */
  readonly noteUse: (token: string) => void
  readonly requestRates: RequestRates
  /** Where Digest is accepted, too. */
  readonly digest?: DigestAuthenticator
  /** Counts the call of a known caller; resolves with the refusal when there were too many. */
  readonly countCall?: (caller: Caller) => Promise<Error | undefined>
}

/** For operations with a zone in their path. */
export function apiKeyAccess(options: ApiKeyOptions): Access<Context> {
  return {
    ...accountAccess(options),
    runHandler(exchange, operation, handler) {
      const { zone } = exchange
      if (zone === undefined) throw new Error('The path has no zone.')
      return transact(options, exchange, operation, (tx, caller) =>
        handler({ tx, caller, zone, ...visitOf(exchange, options) }),
      )
    },
  }
}

/** For operations without a zone in their path. */
export function accountAccess(options: ApiKeyOptions): Access<AccountContext> {
  const { basic, digest, countCall, clock, throttle, noteUse, requestRates } = options
  const checkCaller = (caller: Caller, exchange: Exchange) => {
    const { token, limits } = caller
    // Before the limits: the audit trail has whose key was refused for its address or its end.
    exchange.caller = caller
    if (limits !== undefined) checkLimits(limits, exchange, clock.now(), throttle.count)
    noteUse(token)
  }
  // Every call of a known caller counts, but a missing permission is answered first.
  const admit = (caller: Caller, operation: Operation, counted?: Error) => {
    const perSecond = caller.quotas?.requests_per_second
    const tooFast =
      perSecond === undefined ? undefined : requestRates.count(caller.accountId, perSecond)
    checkPermission(caller, operation)
    const tooMany = counted ?? tooFast
    if (tooMany !== undefined) throw tooMany
  }
  const authenticate = async (exchange: Exchange, operation: Operation) => {
    const { method, message, headers } = exchange
    const header = headers.authorization
    const caller =
      digest !== undefined && header !== undefined && /^digest /i.test(header)
        ? await digest.authenticate(header, { method, target: message.url ?? '', from: exchange })
        : await basic.authenticate(header, exchange)
    checkCaller(caller, exchange)
    admit(caller, operation, operation.uncounted ? undefined : await countCall?.(caller))
  }
  return {
    challenges: () => [`Basic realm="${REALM}", charset="UTF-8"`, ...(digest?.challenges() ?? [])],
    authenticate(exchange, operation) {
      const known =
        countCall === undefined
          ? basic.verified(exchange.headers.authorization, exchange)
          : undefined
      if (known === undefined) return authenticate(exchange, operation)
      checkCaller(known, exchange)
      admit(known, operation)
      return undefined
    },
    runHandler: (exchange, operation, handler) =>
      transact(options, exchange, operation, (tx, caller) =>
        handler({ tx, caller, ...visitOf(exchange, options) }),
      ),
  }
}

/** For operations that strangers may call with the header that the operation names (docs/billing.md). */
export function visitorAccess(options: ApiKeyOptions): Access<VisitorContext> {
  const account = accountAccess(options)
  return {
    ...account,
    authenticate(exchange, operation) {
      const { headers } = exchange
      const { openWith } = operation
      const isOpen = openWith !== undefined && headers[openWith.header] === openWith.value
      // Credentials that are sent are checked: wrong ones are refused.
      return isOpen && headers.authorization === undefined
        ? undefined
        : account.authenticate(exchange, operation)
    },
    runHandler: (exchange, _operation, handler) =>
      options.database.read((tx) =>
        handler({ tx, caller: exchange.caller, ...visitOf(exchange, options) }),
      ),
  }
}

export interface OperatorOptions extends AccessOptions {
  readonly token: string
  readonly isOwnName: IsOwnName
}

export function operatorAccess(options: OperatorOptions): Access<OperatorContext> {
  const { token, isOwnName, throttle } = options
  const checkToken = async (exchange: Exchange) => {
    const { authorization } = exchange.headers
    const check = async () => checkBearer(authorization, token)
    // No token at all is no guess.
    if (bearerOf(authorization) === undefined) await check()
    else await throttle.guard(exchange, 'operator', check)
    exchange.isOperator = true
  }
  return {
    challenges: () => ['Bearer realm="Kumoi operator"'],
    authenticate(exchange, { access }) {
      checkSite(exchange.headers, isOwnName)
      const isOpen = access === 'public' || (access === 'loopback' && isLoopback(exchange))
      return isOpen ? undefined : checkToken(exchange)
    },
    async runHandler(exchange, { method }, handler) {
      const concerns = (accountCode: string) => {
        exchange.concerned = accountCode
      }
      const visit = { ...visitOf(exchange, options), concerns }
      if (method === 'GET')
        return handler({ database: countedDatabase(options, exchange), ...visit })
      const database = audited(options, exchange)
      const answer = await handler({
        database: countedDatabase({ ...options, database }, exchange),
        ...visit,
      })
      // It has changed what is not in the database, or everything.
      if (exchange.isAudited) return answer
      return database
        .write(async () => answer)
        .catch((error) => Promise.reject(new NotRecorded(error)))
    },
  }
}

/** For tokens that a slice gives out itself: it says whose one is. */
export function tokenAccess<Holder>(
  options: AccessOptions,
  identify: Identify<Holder>,
  /** Of the one token that guards these operations, where guesses are to be throttled. */
  guarded?: string,
): Access<TokenContext<Holder>> {
  return {
    challenges: () => ['Bearer realm="Kumoi"'],
    async authenticate(exchange) {
      const bearer = bearerOf(exchange.headers.authorization)
      const check = () => identify({ bearer, params: exchange.params }, options.clock.now())
      exchange.holder =
        guarded === undefined || bearer === undefined
          ? await check()
          : await options.throttle.guard(exchange, guarded, check)
    },
    runHandler: (exchange, _operation, handler) =>
      handler({
        database: countedDatabase(options, exchange),
        // What `authenticate` has put there; the exchange cannot know its type.
        holder: exchange.holder as Holder,
        header: (name) => exchange.headers[name]?.toString(),
        ...visitOf(exchange, options),
      }),
  }
}

/** One transaction for one request of a known caller. */
function transact<T>(
  options: AccessOptions,
  exchange: Exchange,
  operation: Operation,
  work: (tx: Tx, caller: Caller) => Promise<T>,
): Promise<T> {
  const { caller } = exchange
  if (caller === undefined) throw new Error('The request was not authenticated.')
  // A read changes no rows that would be counted.
  if (operation.method === 'GET') {
    return options.database.read((tx) => work(tx, caller), exchange)
  }
  return writeKeeping(options, exchange, (tx) => work(tx, caller))
}

/** A refusal that is answered when what it keeps is durable. */
class Kept {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    this.refusal = refusal
  }
}

/** A refusal rolls the transaction back, unless it says that it keeps what was written. */
async function writeKeeping<T>(
  options: AccessOptions,
  exchange: Exchange,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let count = new ChangeCount()
  const outcome = await options.database.write(async (tx) => {
    // A new one, since the work may be run again.
    count = new ChangeCount()
    try {
      const answer = await work(count.of(tx))
      await auditChange(options, tx, exchange, answer)
      return answer
    } catch (error) {
      if (error instanceof Refusal && error.keepsWrites) return new Kept(error)
      throw error
    }
  }, exchange)
  exchange.changes = count.changes
  if (outcome instanceof Kept) throw outcome.refusal
  exchange.isAudited = true
  // The types of contracts say that it then finishes with what else would be answered at once.
  return outcome instanceof AfterCommit ? (outcome.finish() as Promise<T>) : outcome
}

/** For handlers that open transactions themselves. */
function countedDatabase({ database }: AccessOptions, exchange: Exchange): Database {
  const count = new ChangeCount()
  exchange.changes = count.changes
  return counting(database, count)
}

function visitOf(exchange: Exchange, { clock, publicUrl, bigintHeader }: AccessOptions): Visit {
  const { headers } = exchange
  const lastEventId = headers['last-event-id']
  return {
    now: clock.now(),
    origin: publicUrl ?? exchange.origin,
    asNumbers: headers[bigintHeader] === '1',
    ...(typeof lastEventId === 'string' && { lastEventId }),
  }
}

/** The address of the peer itself: what a proxy says of its clients does not make them local. */
function isLoopback({ message, headers }: Exchange): boolean {
  return headers['x-forwarded-for'] === undefined && isLoopbackAddress(message.socket.remoteAddress)
}

export function isLoopbackAddress(address = ''): boolean {
  return /^(::ffff:)?127\./.test(address) || address === '::1'
}
