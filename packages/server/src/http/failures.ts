/** Answers for what goes wrong: refusals, what the framework and the parser refuse, and our own faults. */
import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { Refusal, type RefusalCode, type Text, TooManyRequests } from '../kernel/errors.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import { StaleNonce } from './auth/digest.ts'
import { failureBody, languageOf, statusOf } from './error-body.ts'

interface Cause {
  readonly code: RefusalCode
  readonly cause: Text
}

export function answerFailure(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
  { log, beautifyHeader }: { readonly log: Logger; readonly beautifyHeader: string },
): FastifyReply {
  const { code, cause } = causeOf(error, request)
  if (code === 'internal_server_error')
    log.error({ serial: request.id, err: error }, 'server fault')
  if (code !== 'unauthorized') reply.removeHeader('www-authenticate')
  if (error instanceof StaleNonce) markStale(reply)
  if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfterSeconds)
  // The rest of a body that was refused unread would be taken for the next request.
  const leavesRest = request.arrival?.operation?.operation.fileBody !== undefined
  if (code === 'request_too_large' || leavesRest) reply.header('connection', 'close')
  const language = languageOf(request.headers['accept-language'])
  const body = failureBody({ code, cause, serial: request.id, language })
  const isIndented =
    request.headers[beautifyHeader] === '1' && request.arrival?.family?.beautify !== false
  return reply
    .status(statusOf(code))
    .type('application/json; charset=utf-8')
    .send(isIndented ? `${JSON.stringify(body, null, 2)}\n` : JSON.stringify(body))
}

/** Tells a client that its credentials are right and only the nonce has to be renewed (RFC 7616). */
function markStale(reply: FastifyReply): void {
  const challenges = [reply.getHeader('www-authenticate') ?? []].flat().map(String)
  reply.header(
    'www-authenticate',
    challenges.map((text) => (text.startsWith('Digest') ? `${text}, stale=true` : text)),
  )
}

function causeOf(error: FastifyError | Error, request: FastifyRequest): Cause {
  if (error instanceof Refusal) return { code: error.code, cause: error.text }
  const status = 'statusCode' in error ? error.statusCode : undefined
  // What the framework refuses before its first hook has no arrival yet.
  if (status === 413) return tooLarge(request.arrival?.operation?.operation.bodyLimitMib ?? 1)
  if (status !== undefined && status >= 400 && status < 500) {
    const code = 'code' in error ? String(error.code) : ''
    return NO_SUCH_PATH.has(code) ? NOTHING_THERE : BROKEN
  }
  return FAULT
}

/** What the router calls a path that it cannot decode, or an id that is far too long. */
const NO_SUCH_PATH: ReadonlySet<string> = new Set(['FST_ERR_BAD_URL', 'FST_ERR_MAX_PARAM_LENGTH'])

const NOTHING_THERE: Cause = {
  code: 'not_found',
  cause: { en: 'There is nothing at this path.', ja: 'このパスには何もありません。' },
}

const BROKEN: Cause = {
  code: 'bad_request',
  cause: { en: 'The request cannot be read.', ja: 'リクエストを読み取れません。' },
}

function tooLarge(limitMib: number): Cause {
  return {
    code: 'request_too_large',
    cause: {
      en: `The body is larger than the limit of ${limitMib} MiB.`,
      ja: `本文が上限の ${limitMib} MiB を超えています。`,
    },
  }
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
  socket: Socket,
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
    'Content-Type: application/json; charset=utf-8',
    ...(code === 'unauthorized' ? ['WWW-Authenticate: Bearer realm="Kumoi"'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
}

/** On a bare socket, where no framework answers. */
export function rawFailure(error: unknown, random: Random): string {
  const cause = error instanceof Refusal ? { code: error.code, cause: error.text } : FAULT
  return rawResponse(cause, randomHex(random, 32))
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
