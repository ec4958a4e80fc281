/** What an error of the database means for the transaction that met it. */
import pg from 'pg'
import { Refusal, Unavailable } from '../../kernel/errors.ts'

/** The connection is gone, or there is none to be had. Nothing of an uncommitted transaction remains. */
export class ConnectionLost extends Unavailable {
  constructor(cause: unknown) {
    super('The database does not answer.', 'データベースが応答しません。', { cause })
  }
}

/** A limit on waiting was reached; the transaction is rolled back. */
export class TookTooLong extends Unavailable {
  constructor(cause: unknown) {
    super('The database took too long.', 'データベースの処理が時間切れになりました。', { cause })
  }
}

/** The connection was lost at COMMIT. Not a 503, which clients repeat without looking. */
export class OutcomeUnknown extends Refusal {
  readonly code = 'internal_server_error'

  constructor(cause: unknown) {
    super(
      'The connection to the database was lost while the change was being committed, so it is not known whether it was made. Read before you repeat it.',
      'コミット中にデータベースとの接続が失われたため、変更が反映されたかどうか不明です。再実行する前に確認してください。',
      { cause },
    )
  }
}

/** The server is going, coming, full or a standby: another connection may find it, or another one, ready. */
const LOST_STATES = /^(57P0[1-5]|53300|25006|25P03|08(?!P01))/
const TIMEOUT_STATES: ReadonlySet<string> = new Set(['57014', '55P03'])
/** Serialization failure and deadlock: the same transaction may succeed when it is run again. */
const RETRY_STATES: ReadonlySet<string> = new Set(['40001', '40P01'])
/** A key that a transaction at the same time has inserted first, also where it is deleted before it is inserted. */
const DUPLICATE_KEY = '23505'

/** Every error of the driver passes through here once. */
export function classify(error: unknown): unknown {
  if (!(error instanceof pg.DatabaseError)) return new ConnectionLost(error)
  const state = error.code ?? ''
  if (LOST_STATES.test(state)) return new ConnectionLost(error)
  if (TIMEOUT_STATES.has(state)) return new TookTooLong(error)
  return error
}

export function isRetryable(error: unknown): boolean {
  if (isBroken(error) || isDuplicateKey(error)) return true
  return error instanceof pg.DatabaseError && RETRY_STATES.has(error.code ?? '')
}

export function isDuplicateKey(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DUPLICATE_KEY
}

/**
 * The connection cannot be used any more. A prepared statement may be gone, or its tables changed since: a new
 * connection prepares it anew.
 */
export function isBroken(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  if (!(error instanceof pg.DatabaseError)) return false
  return error.code === '26000' || error.routine === 'RevalidateCachedQuery'
}
