/** The one place where a refusal becomes a status and the failure body of the interface. */
import type { Language, RefusalCode, Text } from '../kernel/errors.ts'
import { http } from '../kernel/node-http.ts'

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
  too_many_request: kind(429, 'Too many requests.', 'リクエストが多すぎます。'),
  internal_server_error: kind(500, 'The server failed.', 'サーバー内部エラーです。'),
  service_unavailable: kind(503, 'The service is not available now.', '現在利用できません。'),
}

export interface Failure {
  readonly code: RefusalCode
  /** Further lines: the cause. */
  readonly cause: Text
  readonly serial: string
  readonly language: Language
}

export function statusOf(code: RefusalCode): number {
  return KINDS[code].status
}

export function failureBody({ code, cause, serial, language }: Failure): Record<string, unknown> {
  const { status, text } = KINDS[code]
  return {
    is_fatal: true,
    serial,
    status: `${status} ${http.STATUS_CODES[status]}`,
    error_code: code,
    error_msg: `${text[language]}\n${cause[language]}`,
    is_ok: false,
  }
}

/** Japanese when the caller prefers it to English, else English. */
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

function kind(status: number, en: string, ja: string): Kind {
  return { status, text: { en, ja } }
}
