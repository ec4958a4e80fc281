/**
 * The one place where a refusal, or a fault of ours, becomes a status and the failure body of the
 * interface.
 */
import {
  type Language,
  Refusal,
  type RefusalCode,
  type Text,
  TooManyRequests,
} from '../kernel/errors.ts'
import type { Log } from '../kernel/log.ts'
import { machineFaultOf } from '../kernel/machine-faults.ts'
import { http } from '../kernel/node-http.ts'
import { type Random, randomHex } from '../kernel/random.ts'
import { type Answer, JSON_MEDIA, toText } from './answer.ts'
import { StaleNonce } from './auth/digest.ts'
import type { Exchange } from './exchange.ts'

interface Kind {
  readonly status: number
  readonly text: Text
}

/** The status of each code and the first line of its message, which names the kind of failure. */
const KINDS: Readonly<Record<RefusalCode, Kind>> = {
  bad_request: kind(400, 'The request is not valid.', 'リクエストが不正です。'),
  unauthorized: kind(401, 'Authentication failed.', '認証に失敗しました。'),
  forbidden: kind(403, 'This is not allowed.', '許可されていない操作です。'),
  not_found: kind(404, 'The target does not exist.', '対象が見つかりません。'),
  method_not_allowed: kind(405, 'The method is not allowed here.', 'このメソッドは使えません。'),
  request_timeout: kind(408, 'The request took too long.', 'リクエストが時間切れになりました。'),
  conflict: kind(
    409,
    'The state of the target does not allow this.',
    '対象の状態により実行できません。',
  ),
  still_creating: kind(409, 'The target is still being created.', '対象は作成中です。'),
  original_hash_mismatch: kind(
    409,
    'The settings have changed since they were read.',
    '設定が読み出し後に変更されています。',
  ),
  server_power_must_be_down: kind(
    409,
    'The target must be turned off first.',
    '先に対象の電源を切る必要があります。',
  ),
  request_too_large: kind(413, 'The request is too large.', 'リクエストが大きすぎます。'),
  expectation_failed: kind(417, 'The expectation cannot be met.', 'Expect を満たせません。'),
  too_many_request: kind(429, 'Too many requests.', 'リクエストが多すぎます。'),
  internal_server_error: kind(500, 'The server failed.', 'サーバー内部エラーです。'),
  service_unavailable: kind(503, 'The service is not available now.', '現在利用できません。'),
}

interface Cause {
  /** Of a fault of the machine, for the log. */
  readonly name?: string
  readonly code: RefusalCode
  /** Instead of the first line that the code has. */
  readonly headline?: Text | undefined
  /** Further lines of the message. */
  readonly cause: Text
}

export interface Failure extends Cause {
  readonly serial: string
  readonly language: Language
}

export function statusOf(code: RefusalCode): number {
  return KINDS[code].status
}

/** The most general code of a status. */
export function codeOf(status: number): RefusalCode | undefined {
  const codes = Object.keys(KINDS) as RefusalCode[]
  return codes.find((code) => KINDS[code].status === status)
}

export function failureBody(failure: Failure): Record<string, unknown> {
  const { code, cause, serial, language } = failure
  const { status, text } = KINDS[code]
  return {
    is_fatal: true,
    serial,
    status: `${status} ${http.STATUS_CODES[status]}`,
    error_code: code,
    error_msg: `${(failure.headline ?? text)[language]}\n${cause[language]}`,
    is_ok: false,
  }
}

/** Japanese when the client prefers it to English, else English. */
export function languageOf(acceptLanguage: string | undefined): Language {
  if (acceptLanguage === undefined) return 'en'
  const weights = new Map<string, number>()
  for (const part of acceptLanguage.split(',')) {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';')
    const quality = parameters.map((parameter) => /^\s*q=([\d.]+)$/.exec(parameter)?.[1])[0]
    const language = range.split('-')[0] ?? ''
    const weight = quality === undefined ? 1 : Number(quality)
    weights.set(language, Math.max(weights.get(language) ?? 0, weight))
  }
  const any = weights.get('*') ?? 0
  return (weights.get('ja') ?? 0) > (weights.get('en') ?? any) ? 'ja' : 'en'
}

export interface FailureOptions {
  readonly log: Log
  /** The challenges of a 401. */
  readonly challenges: () => readonly string[]
  readonly isIndented: boolean
}

/** The answer to what was thrown; a fault of ours is logged. */
export function failureOf(
  error: unknown,
  exchange: Exchange,
  { log, challenges, isIndented }: FailureOptions,
): Answer {
  const cause = causeOf(error)
  const { code } = cause
  const { serial, headers, operation } = exchange
  exchange.code = code
  const language = languageOf(headers['accept-language'])
  if (cause.name !== undefined) log.error({ serial, err: error }, cause.name)
  else if (code === 'internal_server_error') log.error({ serial, err: error }, 'server fault')
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
    body: toText(failureBody({ ...cause, serial, language }), isIndented),
  }
}

/** `stale` says that the credentials are right and only the nonce has to be renewed (RFC 7616). */
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

export class ExpectationFailed extends Refusal {
  readonly code = 'expectation_failed'

  constructor() {
    super('Expect may only be 100-continue.', 'Expect には 100-continue だけが使えます。')
  }
}

function causeOf(error: unknown): Cause {
  if (error instanceof Refusal) {
    return { code: error.code, headline: error.headline, cause: error.text }
  }
  return machineFaultOf(error) ?? FAULT
}

const FAULT: Cause = {
  code: 'internal_server_error',
  cause: {
    en: 'The cause is in the log of the server under this serial.',
    ja: '原因はこのシリアルでサーバーのログに記録されています。',
  },
}

/** The response to what Node's parser refuses: no HTTP, too slow, or too long a head. */
export function parseErrorResponse(code: string | undefined, random: Random): string {
  return rawResponse(PARSE_ERRORS[code ?? ''] ?? NOT_HTTP, randomHex(random, 32))
}

const NOT_HTTP: Cause = {
  code: 'bad_request',
  cause: { en: 'This is not a valid HTTP request.', ja: 'HTTPリクエストとして不正です。' },
}

const PARSE_ERRORS: Readonly<Record<string, Cause>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 'request_timeout',
    cause: { en: 'The request was not complete in time.', ja: '時間内に完了しませんでした。' },
  },
  HPE_INVALID_URL: {
    code: 'bad_request',
    cause: {
      en: 'The path or the query has a character that must be percent-encoded, such as one outside ASCII.',
      ja: 'パスまたはクエリに、パーセントエンコーディングが必要な文字（ASCII 以外など）があります。',
    },
  },
  HPE_HEADER_OVERFLOW: {
    code: 'request_too_large',
    cause: { en: 'The head is larger than 16 KiB.', ja: 'ヘッダーが 16 KiB を超えています。' },
  },
}

/** For a socket that has left HTTP, or never spoke it. */
export function rawFailure(error: unknown, random: Random): string {
  return rawResponse(causeOf(error), randomHex(random, 32))
}

function rawResponse({ code, cause }: Cause, serial: string): string {
  const failure = failureBody({ code, cause, serial, language: 'en' })
  const body = JSON.stringify(failure)
  return [
    `HTTP/1.1 ${failure.status}`,
    `Content-Type: ${JSON_MEDIA}`,
    ...(code === 'unauthorized' ? ['WWW-Authenticate: Bearer realm="Kumoi"'] : []),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n')
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

function kind(status: number, en: string, ja: string): Kind {
  return { status, text: { en, ja } }
}
