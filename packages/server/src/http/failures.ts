/** Answers for what goes wrong: refusals, what the parser refuses, and our own faults. */
import type { Duplex } from 'node:stream'
import { Refusal, type RefusalCode, type Text, TooManyRequests } from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import { type Answer, JSON_MEDIA, toText } from './answers.ts'
import type { Arrival } from './arrival.ts'
import { StaleNonce } from './auth/digest.ts'
import { failureBody, languageOf, statusOf } from './error-body.ts'

interface Cause {
  readonly code: RefusalCode
  readonly cause: Text
}

export interface FailureOptions {
  readonly log: Log
  /** Asked for a 401. */
  readonly challenges: () => readonly string[]
  readonly isIndented: boolean
}

/** The answer to what was thrown; a fault of ours is written down. */
export function failureOf(
  error: unknown,
  { serial, language, operation }: Arrival,
  { log, challenges, isIndented }: FailureOptions,
): Answer {
  const { code, cause } = causeOf(error)
  if (code === 'internal_server_error') log.error({ serial, err: error }, 'server fault')
  // The rest of a body that was refused unread would be taken for the next request.
  const leavesRest = code === 'request_too_large' || operation?.fileBody !== undefined
  return {
    status: statusOf(code),
    media: JSON_MEDIA,
    headers: {
      ...(code === 'unauthorized' && { 'www-authenticate': challengesFor(error, challenges()) }),
      ...(error instanceof TooManyRequests && { 'retry-after': error.retryAfterSeconds }),
      ...(error instanceof MethodNotAllowed && { allow: error.methods.join(', ') }),
      ...(leavesRest && { connection: 'close' }),
    },
    body: toText(failureBody({ code, cause, serial, language }), isIndented),
  }
}

/** Tells a client that its credentials are right and only the nonce has to be renewed (RFC 7616). */
function challengesFor(error: unknown, challenges: readonly string[]): string[] {
  return challenges.map((text) =>
    error instanceof StaleNonce && text.startsWith('Digest') ? `${text}, stale=true` : text,
  )
}

export class MethodNotAllowed extends Refusal {
  readonly code = 'method_not_allowed'
  readonly methods: readonly string[]

  constructor(methods: readonly string[]) {
    const list = methods.join(', ')
    super(`This path has: ${list}.`, `使えるメソッド: ${list}`)
    this.methods = methods
  }
}

function causeOf(error: unknown): Cause {
  return error instanceof Refusal ? { code: error.code, cause: error.text } : FAULT
}

const FAULT: Cause = {
  code: 'internal_server_error',
  cause: {
    en: 'The cause is in the log of the server under this serial.',
    ja: '原因はこのシリアルでサーバーのログに記録されています。',
  },
}

/** What is not HTTP at all, or came too slowly, or with too long a head: answered on the bare socket. */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Duplex,
  random: Random,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  socket.end(rawResponse(brokenCause(error.code), randomHex(random, 32)))
}

function brokenCause(code: string | undefined): Cause & { readonly status?: string } {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return {
      code: 'request_timeout',
      cause: { en: 'The request was not complete in time.', ja: '時間内に完了しませんでした。' },
    }
  }
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      code: 'request_too_large',
      cause: { en: 'The head is larger than 16 KiB.', ja: 'ヘッダーが 16 KiB を超えています。' },
    }
  }
  return {
    code: 'bad_request',
    cause: { en: 'This is not a valid HTTP request.', ja: 'HTTPリクエストとして不正です。' },
  }
}

function rawResponse({ code, cause }: Cause, serial: string): string {
  const body = JSON.stringify(failureBody({ code, cause, serial, language: 'en' }))
  const status = failureStatusLine(code)
  return [
    `HTTP/1.1 ${status}`,
    `Content-Type: ${JSON_MEDIA}`,
    ...(code === 'unauthorized' ? ['WWW-Authenticate: Bearer realm="Kumoi"'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** On a bare socket, which has left HTTP. */
export function rawFailure(error: unknown, random: Random): string {
  return rawResponse(causeOf(error), randomHex(random, 32))
}

function failureStatusLine(code: RefusalCode): string {
  return String(failureBody({ code, cause: { en: '', ja: '' }, serial: '', language: 'en' }).status)
}

/** The body of the answer to plain HTTP on the TLS port. */
export function plainHttpBody(head: string, random: Random): string {
  const acceptLanguage = /^accept-language:\s*(.*)$/im.exec(head)?.[1]
  return JSON.stringify(
    failureBody({
      code: 'forbidden',
      cause: {
        en: 'This port speaks HTTPS only; use https:// in the address.',
        ja: 'このポートはHTTPS専用です。https:// で接続してください。',
      },
      serial: randomHex(random, 32),
      language: languageOf(acceptLanguage),
    }),
  )
}
