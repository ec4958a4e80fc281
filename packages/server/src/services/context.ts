/** What a handler is given besides its input. */
import type { Caller } from '../kernel/caller.ts'
import type { Zone } from '../kernel/zone.ts'
import type { Database, Tx } from '../storage/database.ts'

/** Of every request. */
export interface Visit {
  readonly now: Date
  /** `https://host:port`, as the caller can reach it; what addresses in answers begin with. */
  readonly origin: string
  /** The caller wants numbers where the interface gives 64-bit values as texts. */
  readonly asNumbers: boolean
  /** Where a stream of events that broke off goes on. */
  readonly lastEventId?: string
}

/** Of operations without a zone in their path: one request, one transaction, one account. */
export interface AccountContext extends Visit {
  readonly tx: Tx
  readonly caller: Caller
}

/** Of the interface's other operations. */
export interface Context extends AccountContext {
  readonly zone: Zone
}

/** Of operations that a stranger may call, too; then there is no caller. */
export interface VisitorContext extends Visit {
  readonly tx: Tx
  readonly caller: Caller | undefined
}

/** Of the operator API, whose operations open transactions as they need them. */
export interface OperatorContext extends Visit {
  readonly database: Database
  /** Whose account the call is about, where no `code` in the path says so: for the audit trail. */
  readonly concerns: (accountCode: string) => void
}

/** Of operations that let in by a token of their own kind. They open transactions as they need them. */
export interface TokenContext<Holder> extends Visit {
  readonly database: Database
  /** Whom or what the token was handed out for. */
  readonly holder: Holder
  readonly header: (name: string) => string | undefined
}

/** What a request brings that may hold a token. */
export interface Credentials {
  /** Of the Authorization header. */
  readonly bearer: string | undefined
  readonly params: Readonly<Record<string, string>>
}

/** Answers with the holder of a token, or refuses with Unauthorized. */
export type Identify<Holder> = (credentials: Credentials, now: Date) => Promise<Holder>
