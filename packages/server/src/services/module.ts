/**
 * What a slice adds to the cloud: operations with who may call them, jobs, and sections of the world file. A
 * slice makes its module of what it is handed; compose.ts joins the modules and knows no slice from inside.
 */
import type { AnyHandlers, Contract, Family, Handlers } from '../kernel/contract.ts'
import type { Job } from '../kernel/job.ts'
import type { SealedColumn } from '../kernel/sealed-column.ts'
import type { Database, Tx } from '../storage/database.ts'
import type {
  AccountContext,
  Context,
  Identify,
  OperatorContext,
  TokenContext,
  VisitorContext,
} from './context.ts'
import type { DemoPast } from './demo.ts'
import { OPERATOR } from './families.ts'
import type { WorldSection } from './world-section.ts'

/** Rows that are deleted when they are old (docs/operating.md). */
export interface Aged {
  readonly tables: readonly string[]
  /** How long they are kept, as the settings of the world say. */
  readonly days: (tx: Tx) => Promise<number>
  /** The time from which the age of the oldest counts; undefined when there is none. */
  readonly oldest: (tx: Tx) => Promise<Date | undefined>
  /** At most `most`; answers with how many that were. */
  readonly deleteBefore: (tx: Tx, before: Date, most: number) => Promise<number>
}

export interface Module {
  readonly operations?: readonly Operations[]
  readonly jobs?: readonly Job<Database>[]
  /** Applied in the order of the modules: what others refer to comes first. */
  readonly sections?: readonly WorldSection[]
  readonly aged?: readonly Aged[]
  /** Called in the order of the modules, too. */
  readonly demoPast?: DemoPast
  readonly sealed?: readonly SealedColumn[]
}

/** The operations of a contract, their handlers, and the kind of credentials that they take. */
export interface Operations {
  readonly family: Family
  readonly contract: Contract
  readonly handlers: AnyHandlers
  readonly access: AccessKind
}

/**
 * `key` and `account` take an API key, the first with a zone in the path; `visitor` also lets in strangers;
 * `operator` takes the operator token; a function takes tokens that the slice itself hands out.
 */
export type AccessKind = 'key' | 'account' | 'visitor' | 'operator' | Identify<unknown>

export function byKey<C extends Contract>(
  family: Family,
  contract: C,
  handlers: Handlers<C, Context>,
): Operations {
  return { family, contract, handlers, access: 'key' }
}

export function byAccount<C extends Contract>(
  family: Family,
  contract: C,
  handlers: Handlers<C, AccountContext>,
): Operations {
  return { family, contract, handlers, access: 'account' }
}

export function byVisitor<C extends Contract>(
  family: Family,
  contract: C,
  handlers: Handlers<C, VisitorContext>,
): Operations {
  return { family, contract, handlers, access: 'visitor' }
}

export function byOperator<C extends Contract>(
  contract: C,
  handlers: Handlers<C, OperatorContext>,
): Operations {
  return { family: OPERATOR, contract, handlers, access: 'operator' }
}

export function byToken<C extends Contract, Holder>(
  family: Family,
  contract: C,
  handlers: Handlers<C, TokenContext<Holder>>,
  identify: Identify<Holder>,
): Operations {
  return { family, contract, handlers, access: identify }
}
