/**
 * What a call leaves in the audit trail: each that may change something and whose caller is known. One that succeeds
 * is inserted in the transaction of its change; a refusal has none left, and is written right after the answer. Calls
 * with tokens of machines (edges, RADIUS servers, devices, uploads) are no acts of a person and leave nothing.
 */
import type { AuditEntry } from '../kernel/audit-entry.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Operation } from '../kernel/contract.ts'
import { RawAnswer } from '../kernel/raw-answer.ts'
import { fieldsOf, isSecret } from '../kernel/shapes.ts'
import type { Database, Tx } from '../storage/database.ts'
import type { Outcome } from './answer.ts'
import type { Exchange } from './exchange.ts'

export interface Audit {
  insert(tx: Tx, entry: AuditEntry): Promise<void>
  /** Written soon; the caller does not wait. Of one key only so many refusals are written in a minute. */
  add(entry: AuditEntry, key: string): void
  /** Resolves when all that was added is written. */
  settled(): Promise<void>
}

/** Enough for every id and name; what a caller makes up may be longer. */
const PARAMETER_LENGTH_MAX = 64
/** How much of a key's token is shown: enough to find the key, not to use it. */
const TOKEN_SHOWN = 8
const ACCOUNT_CODE = /^[\w.-]{1,64}$/

interface Parts {
  readonly audit: Audit
  readonly clock: Clock
}

/** In the transaction of the change. `answer` is what the handler returns. */
export function auditChange(
  { audit, clock }: Parts,
  tx: Tx,
  exchange: Exchange,
  answer: unknown,
): Promise<void> {
  const { status = 200 } = answer instanceof RawAnswer ? answer : (exchange.operation ?? {})
  // The row of the trail is not among the changes that the call made.
  delete tx.rowCounter
  const created = exchange.operation && createdId(exchange.operation, exchange.params, answer)
  return audit.insert(tx, entryOf(exchange, clock.now(), { status, created }))
}

/** After the answer: what no transaction has written, and a failure after the change was durable. */
export function auditAnswer(audit: Audit, { exchange, status, at }: Outcome): void {
  const { operation, caller, isOperator, isAudited, code } = exchange
  if (operation === undefined || operation.method === 'GET') return
  if (caller === undefined && !isOperator) return
  // What a limit stops changes nothing, and would fill the trail as fast as requests come.
  if (status === 429) return
  if (!isAudited || status >= 400) {
    audit.add(entryOf(exchange, at, { status, code }), caller?.token ?? 'operator')
  }
}

/** The first transaction of a handler that opens its own carries the entry. */
export function audited(
  parts: Parts & { readonly database: Database },
  exchange: Exchange,
): Database {
  const { database } = parts
  return {
    engine: database.engine,
    read: (work, waiter) => database.read(work, waiter),
    exclusive: (work) => database.exclusive(work),
    close: () => database.close(),
    async write(work, waiter) {
      if (exchange.isAudited) return database.write(work, waiter)
      const result = await database.write(async (tx) => {
        const answer = await work(tx)
        await auditChange(parts, tx, exchange, answer)
        return answer
      }, waiter)
      exchange.isAudited = true
      return result
    },
  }
}

interface Result {
  readonly status: number
  readonly code?: string | undefined
  readonly created?: string | undefined
}

function entryOf(exchange: Exchange, at: Date, { status, code, created }: Result): AuditEntry {
  const { caller, params, name: operation, serial, client } = exchange
  const secret = secretParameters(exchange.operation)
  const target: Record<string, string> = {}
  for (const [name, value] of Object.entries(params)) {
    target[name] = secret.has(name) ? shortened(value) : cut(value, PARAMETER_LENGTH_MAX)
  }
  if (created !== undefined) target.created = created
  return {
    at,
    caller: caller === undefined ? 'operator' : `key ${shortened(caller.token)}`,
    account: caller?.accountCode ?? exchange.concerned ?? accountIn(params),
    address: exchange.clientAddress,
    ...{ client, operation, target, status, code, serial },
  }
}

/** Calls of the operator name the account by its code. */
function accountIn({ code }: Exchange['params']): string | undefined {
  return code !== undefined && ACCOUNT_CODE.test(code) ? code : undefined
}

function shortened(token: string): string {
  return `${cut(token, Math.min(TOKEN_SHOWN, token.length / 2))}…`
}

/** Half of a character would make a line of the export one that JSON parsers refuse. */
function cut(text: string, length: number): string {
  return text.slice(0, length).toWellFormed()
}

/** Answers to creations have the thing under its name, with its id. */
function createdId(
  { method, status }: Operation,
  params: Exchange['params'],
  answer: unknown,
): string | undefined {
  if (method !== 'POST' && status !== 201) return undefined
  if (typeof answer !== 'object' || answer === null) return undefined
  for (const thing of Object.values(answer)) {
    const { ID, id, token } = Object(thing)
    const own: unknown = ID ?? id
    // Not of what was there before, and is in the path.
    if (typeof own === 'string') return Object.values(params).includes(own) ? undefined : own
    // Of a key, which has no other id.
    if (typeof token === 'string') return params.token === token ? undefined : shortened(token)
  }
  return undefined
}

const secretNames = new WeakMap<Operation, ReadonlySet<string>>()
const NONE: ReadonlySet<string> = new Set()

function secretParameters(operation: Operation | undefined): ReadonlySet<string> {
  if (operation?.params === undefined) return NONE
  const known = secretNames.get(operation)
  if (known !== undefined) return known
  const fields = fieldsOf(operation.params).filter(({ shape }) => isSecret(shape))
  const names = new Set(fields.map(({ name }) => name))
  secretNames.set(operation, names)
  return names
}
