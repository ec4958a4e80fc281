/** The form of messages (docs/iot-messages.md): ours, since the interface leaves it open. */
import { parseDatetime, utcMicros } from '../../kernel/datetime.ts'
import { BadRequest, type Refusal, TooLarge } from '../../kernel/errors.ts'
import { formatPath } from '../../kernel/schema.ts'
import { textProblem } from '../../kernel/text-check.ts'
import {
  type Channel,
  MESSAGE_BYTES_MAX,
  type Message,
  type MessageDraft,
  messageId,
  NumberToken,
  PAYLOAD_MAX,
  REF_LENGTH_MAX,
  readValue,
  TAG_PATTERN,
  VALUE_TYPES,
} from './message-rules.ts'

/** The library's type of JSON.parse does not know yet that a reviver is told the source. */
const parseJson = JSON.parse as (
  text: string,
  reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function draftFromBytes(bytes: Uint8Array): MessageDraft {
  checkSize(bytes)
  let value: unknown
  try {
    value = parseJson(utf8.decode(bytes), (_key, inner, { source }) =>
      typeof inner === 'number' ? new NumberToken(inner, source ?? '') : inner,
    )
  } catch {
    throw wrong('The message', 'is not valid JSON in UTF-8', 'が正しい JSON ではありません')
  }
  if (!isObject(value)) throw wrong('The message', 'must be an object', 'はオブジェクトです')
  const problem = textProblem(value)
  if (problem !== undefined) {
    const at = formatPath(problem.path)
    const { en, ja } = problem.text
    throw new BadRequest(`${at || 'The message'} ${en}`, `${at || 'メッセージ'} ${ja}`)
  }
  return draftFromWire(value)
}

/** A message of one value, whose bytes were sent as they are. */
export function draftFromValue(tag: string, bytes: Buffer): MessageDraft {
  checkSize(bytes)
  const payload = [{ tag, type: 'binary' as const, value: bytes.toString('base64') }]
  return { deviceId: undefined, sentAt: undefined, payload, ref: undefined }
}

function checkSize(bytes: Uint8Array): void {
  if (bytes.length <= MESSAGE_BYTES_MAX) return
  throw new TooLarge(
    `A message may have at most ${MESSAGE_BYTES_MAX} bytes.`,
    `メッセージは ${MESSAGE_BYTES_MAX} バイト以下です。`,
  )
}

function draftFromWire(given: Readonly<Record<string, unknown>>): MessageDraft {
  const { type, device_id: deviceId, datetime, payload, ref } = given
  if (type !== undefined && type !== 'object')
    throw wrong('type', 'must be object', 'は object です')
  if (deviceId !== undefined && typeof deviceId !== 'string') {
    throw wrong('device_id', 'must be a string', 'は文字列です')
  }
  if (ref !== undefined && (typeof ref !== 'string' || ref.length > REF_LENGTH_MAX)) {
    throw wrong('ref', `must be a string of at most ${REF_LENGTH_MAX}`, 'は文字列です')
  }
  const sentAt = typeof datetime === 'string' ? parseDatetime(datetime) : undefined
  if (datetime !== undefined && sentAt === undefined) {
    throw wrong('datetime', 'must be a datetime with offset', 'はオフセット付き日時です')
  }
  if (!Array.isArray(payload) || payload.length === 0 || payload.length > PAYLOAD_MAX) {
    throw wrong('payload', `must be a list of 1 to ${PAYLOAD_MAX} values`, 'は値のリストです')
  }
  return { deviceId, sentAt, payload: payload.map(channelFromWire), ref }
}

const tagPattern = new RegExp(TAG_PATTERN)

function channelFromWire(given: unknown, index: number): Channel {
  const at = `payload[${index}]`
  if (!isObject(given)) throw wrong(at, 'must be an object', 'はオブジェクトです')
  const tag = typeof given.tag === 'string' ? given.tag.toUpperCase() : ''
  if (!tagPattern.test(tag)) throw wrong(`${at}.tag`, 'must be 00 to FF', 'は 00～FF です')
  const type = VALUE_TYPES.find((known) => known === given.type)
  if (type === undefined) {
    const known = VALUE_TYPES.join(', ')
    throw wrong(`${at}.type`, `must be one of: ${known}`, `は次のいずれかです: ${known}`)
  }
  const value = readValue(type, given.value)
  if (value === undefined) throw wrong(`${at}.value`, `is no ${type}`, `は ${type} ではありません`)
  return { tag, type, value }
}

export function messageToWire(message: Message) {
  return {
    id: messageId(message),
    device_id: message.deviceId,
    type: 'object' as const,
    datetime: utcMicros(message.sentAt),
    payload: message.payload.map(({ tag, type, value }) => ({ tag, type, value })),
  }
}

/** The answer to one who sent a message to a device. */
export function notifyToWire(message: Message, ref: string | undefined) {
  return {
    id: messageId(message),
    device_id: message.deviceId,
    type: 'notify' as const,
    datetime: utcMicros(message.createdAt),
    status: 'accepted' as const,
    ...(ref === undefined ? {} : { ref }),
  }
}

export function errorToWire({ code, text }: Refusal, now: Date, ref: string | undefined) {
  return {
    type: 'error' as const,
    datetime: utcMicros(now),
    error_code: code,
    error_msg: text.en,
    ...(ref === undefined ? {} : { ref }),
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof NumberToken)
  )
}

function wrong(at: string, en: string, ja: string): BadRequest {
  return new BadRequest(`${at} ${en}.`, `${at === 'The message' ? 'メッセージ' : at} ${ja}。`)
}
