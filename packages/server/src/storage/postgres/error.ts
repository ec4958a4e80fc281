/** What the server refuses, and what it means when it cannot be reached. */
import { textAt } from './frames.ts'

export class PostgresError extends Error {
  /** SQLSTATE. */
  readonly code: string
  readonly detail: string | undefined
  readonly routine: string | undefined

  constructor(fields: ReadonlyMap<string, string>) {
    super(fields.get('M') ?? 'The database refuses.')
    this.code = fields.get('C') ?? ''
    this.detail = fields.get('D')
    this.routine = fields.get('R')
  }
}

/** The connection is gone, or cannot be had. */
export class ConnectionLost extends Error {
  readonly code = 'CONNECTION_LOST'
}

export function readError(bytes: Buffer, start: number): PostgresError {
  const fields = new Map<string, string>()
  for (let at = start; (bytes[at] ?? 0) !== 0; ) {
    const text = textAt(bytes, at + 1)
    fields.set(String.fromCharCode(bytes[at] ?? 0), text)
    at += Buffer.byteLength(text) + 2
  }
  return new PostgresError(fields)
}

/** Serialization failure and deadlock: the engine asks for the same transaction once more. */
const RETRY_STATES: ReadonlySet<string> = new Set(['40001', '40P01'])

export function wantsRetry(error: unknown): boolean {
  return error instanceof PostgresError && (RETRY_STATES.has(error.code) || isStale(error))
}

/** What was prepared is not there any more, or gives other columns since the tables were changed. */
export function isStale(error: unknown): boolean {
  if (!(error instanceof PostgresError)) return false
  return error.code === '26000' || error.routine === 'RevalidateCachedQuery'
}

/** The text itself is wrong, whatever its values are. */
export function isMisspelt(error: unknown): boolean {
  return error instanceof PostgresError && /^(42|0A)/.test(error.code) && !isStale(error)
}

/** The server is away, or going or coming: the same call may succeed soon. */
export function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isUnreachable)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(CONNECT|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|57P0|53300)/.test(code)
}
