/** What went wrong, in one line, and what to do next; and the exit code that tells programs the same. */
import type { Refusal } from '@kumoi/client'

export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  badRequest: 3,
  notAllowed: 4,
  notFound: 5,
  conflict: 6,
  later: 7,
  server: 8,
  noAnswer: 9,
} as const

export class Failure extends Error {
  readonly exitCode: number
  /** What to do about it. */
  readonly hint: string | undefined

  constructor(message: string, exitCode: number, hint?: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
    this.hint = hint
  }
}

const BY_STATUS: Readonly<Record<number, number>> = {
  400: EXIT.badRequest,
  401: EXIT.notAllowed,
  403: EXIT.notAllowed,
  404: EXIT.notFound,
  405: EXIT.notFound,
  408: EXIT.later,
  409: EXIT.conflict,
  411: EXIT.badRequest,
  413: EXIT.badRequest,
  429: EXIT.later,
  503: EXIT.later,
}

export function failureOf(refusal: Refusal): Failure {
  const exitCode = BY_STATUS[refusal.status] ?? EXIT.server
  const lines = refusal.message.split('\n').filter((line) => line.trim() !== '')
  const message = `${lines.join(' ')} (${refusal.status} ${refusal.code})`
  return new Failure(message, exitCode, hintFor(refusal))
}

function hintFor({ status, serial, retryAfterSeconds }: Refusal): string | undefined {
  if (status === 401) return 'Check the key or token: kumoi doctor'
  if (status === 403) return 'See what the key may do: kumoi auth status'
  if (retryAfterSeconds !== undefined) return `Try again in ${retryAfterSeconds} seconds.`
  if (status >= 500) return `The log of the server has the cause under ${serial}.`
  return undefined
}

const CONNECTION: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed without an answer',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name cannot be looked up now',
  ETIMEDOUT: 'it did not answer in time',
  UND_ERR_SOCKET: 'the connection was closed without an answer',
  UND_ERR_CONNECT_TIMEOUT: 'it did not answer in time',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
}

const TRUST = /^(UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_UNTRUSTED|ERR_SSL)/

/** The cause of a call that got no answer: fetch hides it inside its own error. */
export function connectionFailure(error: unknown): Failure | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : ''
    const isTrust = TRUST.test(code)
    const words = CONNECTION[code] ?? (isTrust ? 'its certificate is not trusted' : undefined)
    if (words === undefined) continue
    const hint = isTrust
      ? 'Give its CA with --ca FILE or KUMOI_CA_FILE: kumoi doctor'
      : 'Start a server with npm start, or say where it is with --url: kumoi doctor'
    return new Failure(`The server cannot be asked: ${words}.`, EXIT.noAnswer, hint, error)
  }
  if (!(error instanceof TypeError && error.cause instanceof Error)) return undefined
  const message = `The server cannot be asked: ${error.cause.message}.`
  return new Failure(message, EXIT.noAnswer, 'See kumoi doctor.', error)
}

export function oneLine(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trim())
    .join(' ')
}

/** One line on standard error, and the exit code. */
export function report(error: unknown): number {
  if (error instanceof Failure) {
    const hint = error.hint === undefined ? '' : ` ${error.hint}`
    process.stderr.write(`kumoi: ${oneLine(error.message)}${hint}\n`)
    return error.exitCode
  }
  const message = error instanceof Error ? error.message : String(error)
  process.stderr.write(`kumoi: ${oneLine(message)}\n`)
  return EXIT.failed
}
