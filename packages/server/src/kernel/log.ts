/** The log: a JSON object a line. Requests are logged at `info`, faults of the server at `error`. */
import { machineFaultOf } from './machine-faults.ts'

export const LOG_LEVELS = ['info', 'error', 'silent'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export interface Log {
  /** Whether lines of ordinary requests are wanted. */
  readonly hasRequests: boolean
  /** Takes a line as it is, with its end; it may wait a moment for others. */
  line(text: string): void
  /** Something of ours went wrong. It is on record at once, with all that came before it. */
  error(fields: { readonly err: unknown } & Readonly<Record<string, unknown>>, msg: string): void
}

export interface LogTarget {
  /** `atOnce` waits for nobody, and takes what waits along. */
  write(text: string, atOnce: boolean): void
}

export function newLog(level: LogLevel, now: () => Date, target: LogTarget): Log {
  return {
    hasRequests: level === 'info',
    line: (text) => target.write(text, false),
    error({ err, ...fields }, msg) {
      if (level === 'silent') return
      const time = now().toISOString()
      const line = { level: 'error', time, ...fields, err: readable(err), msg }
      target.write(`${JSON.stringify(line)}\n`, true)
    },
  }
}

export const silentLog: Log = {
  hasRequests: false,
  line: () => undefined,
  error: () => undefined,
}

/** What was thrown, with what caused it. */
function readable(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const { name, message, stack, cause } = error
  const code = 'code' in error ? { code: String(error.code) } : {}
  return {
    type: name,
    message,
    ...code,
    // Of a fault of the machine it is the same many times over, and says nothing.
    ...(machineFaultOf(error) === undefined && { stack }),
    ...(cause !== undefined && { cause: readable(cause) }),
  }
}
