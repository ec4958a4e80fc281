/**
 * Who may call an operation, and in which context its handler runs: one `Access` per kind of caller.
 * `authenticate` runs before the body is received, so that a stranger learns nothing from a 400 or 404.
 */
import { AfterCommit } from '../../kernel/after-commit.ts'
import { type Caller, mayUse, REALM } from '../../kernel/caller.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ACCESS_LEVELS, type AccessLevel, type Operation } from '../../kernel/contract.ts'
import { Forbidden, Refusal } from '../../kernel/errors.ts'
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
import type { Exchange } from '../exchange.ts'
import type { BasicAuthenticator } from './basic.ts'
import { bearerOf, checkBearer, checkSite, type IsOwnName } from './bearer.ts'
import type { DigestAuthenticator } from './digest.ts'

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
  readonly publicUrl: string | undefined
  readonly bigintHeader: string
}

export interface ApiKeyOptions extends AccessOptions {
  readonly basic: BasicAuthenticator
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
  const { basic, digest, countCall } = options
  const authenticate = async (exchange: Exchange, operation: Operation) => {
    const { method, message, headers } = exchange
    const header = headers.authorization
    const caller =
      digest !== undefined && header !== undefined && /^digest /i.test(header)
        ? await digest.authenticate(header, method, message.url ?? '')
        : await basic.authenticate(header)
    exchange.caller = caller
    // Every call of a known caller counts, but a missing permission is answered first.
    const tooMany = operation.uncounted ? undefined : await countCall?.(caller)
    checkPermission(caller, operation)
    if (tooMany !== undefined) throw tooMany
  }
  return {
    challenges: () => [`Basic realm="${REALM}", charset="UTF-8"`, ...(digest?.challenges() ?? [])],
    authenticate(exchange, operation) {
      const known =
        countCall === undefined ? basic.verified(exchange.headers.authorization) : undefined
      if (known === undefined) return authenticate(exchange, operation)
      exchange.caller = known
      checkPermission(known, operation)
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
  const { token, isOwnName } = options
  return {
    challenges: () => ['Bearer realm="Kumoi operator"'],
    authenticate(exchange, { access }) {
      checkSite(exchange.headers, isOwnName)
      const isOpen = access === 'public' || (access === 'loopback' && isLoopback(exchange))
      if (!isOpen) checkBearer(exchange.headers.authorization, token)
      return undefined
    },
    runHandler: (exchange, _operation, handler) =>
      handler({ database: countedDatabase(options, exchange), ...visitOf(exchange, options) }),
  }
}

/** For tokens that a slice gives out itself: it says whose one is. */
export function tokenAccess<Holder>(
  options: AccessOptions,
  identify: Identify<Holder>,
): Access<TokenContext<Holder>> {
  return {
    challenges: () => ['Bearer realm="Kumoi"'],
    async authenticate(exchange) {
      const bearer = bearerOf(exchange.headers.authorization)
      exchange.holder = await identify({ bearer, params: exchange.params }, options.clock.now())
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

export function isLevel(access: Operation['access']): access is AccessLevel {
  return ACCESS_LEVELS.some((level) => level === access)
}

/** The access level of the key, and the external permission that some operations need besides. */
function checkPermission(caller: Caller, { access, external }: Operation): void {
  if (isLevel(access) && !mayUse(caller, access)) {
    throw new Forbidden(
      `This needs the access level ${access}; the key has ${caller.permission}.`,
      `アクセスレベル ${access} が必要です（このキーは ${caller.permission}）。`,
    )
  }
  if (external !== undefined && !caller.external.includes(external)) {
    throw new Forbidden(
      `This needs the external permission ${external}.`,
      `外部権限 ${external} が必要です。`,
    )
  }
}

/** One transaction for one request of a known caller. */
function transact<T>(
  { database }: AccessOptions,
  exchange: Exchange,
  operation: Operation,
  work: (tx: Tx, caller: Caller) => Promise<T>,
): Promise<T> {
  const { caller } = exchange
  if (caller === undefined) throw new Error('The request was not authenticated.')
  // A read changes no rows that would be counted.
  if (operation.method === 'GET') {
    return database.read((tx) => work(tx, caller), exchange)
  }
  return writeKeeping(database, exchange, (tx) => work(tx, caller))
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
  database: Database,
  exchange: Exchange,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let count = new ChangeCount()
  const outcome = await database.write((tx) => {
    // A new one, since the work may be run again.
    count = new ChangeCount()
    return work(count.of(tx)).catch((error: unknown) => {
      if (error instanceof Refusal && error.keepsWrites) return new Kept(error)
      throw error
    })
  }, exchange)
  exchange.changes = count.changes
  if (outcome instanceof Kept) throw outcome.refusal
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
