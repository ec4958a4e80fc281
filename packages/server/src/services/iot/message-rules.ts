/** Messages of devices: their values, which never lose a digit, and their ids. */
import { BadRequest } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'

export const VALUE_TYPES = [
  'uint8',
  'uint16',
  'uint32',
  'uint64',
  'int8',
  'int16',
  'int32',
  'int64',
  'float32',
  'float64',
  'bool',
  'string',
  'binary',
] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export const TAG_PATTERN = '^[0-9A-F]{2}$'
/** As many as there are tags. */
export const PAYLOAD_MAX = 256
export const MESSAGE_BYTES_MAX = 64 * 1024
export const REF_LENGTH_MAX = 64
/** How many a device or a reader is given at once. */
export const FETCH_MAX = 100

/** One value under a tag. 64-bit integers are digits, since a number would lose some (docs/iot-messages.md). */
export interface Channel {
  readonly tag: string
  readonly type: ValueType
  readonly value: string | number | boolean
}

export interface MessageDraft {
  /** By whom it is meant; a device speaks of itself and leaves it out. */
  readonly deviceId: string | undefined
  readonly sentAt: Date | undefined
  readonly payload: readonly Channel[]
  /** Comes back in the answer, for those who have several under way. */
  readonly ref: string | undefined
}

export interface Message {
  readonly projectId: ItemId
  /** Counts the messages of the project. */
  readonly number: number
  readonly direction: 'up' | 'down'
  readonly deviceId: string
  readonly sentAt: Date
  readonly payload: readonly Channel[]
  readonly createdAt: Date
}

/** A number as it was written: JSON does not say how large one may be. */
export class NumberToken {
  readonly value: number
  readonly source: string

  constructor(value: number, source: string) {
    this.value = value
    this.source = source
  }
}

const INTEGER = /^-?\d{1,20}$/
const FLOAT32_MAX = 3.402_823_466_385_288_6e38
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** The value as it is kept; undefined when it is none of this type. */
export function readValue(type: ValueType, given: unknown): Channel['value'] | undefined {
  if (type === 'bool') return typeof given === 'boolean' ? given : undefined
  if (type === 'string') return typeof given === 'string' ? given : undefined
  if (type === 'binary') return typeof given === 'string' && BASE64.test(given) ? given : undefined
  if (type === 'float32' || type === 'float64') return readFloat(type, given)
  return readInteger(type, given)
}

function readFloat(type: 'float32' | 'float64', given: unknown): number | undefined {
  if (!(given instanceof NumberToken) || !Number.isFinite(given.value)) return undefined
  return type === 'float32' && Math.abs(given.value) > FLOAT32_MAX ? undefined : given.value
}

function readInteger(type: string, given: unknown): string | number | undefined {
  const bits = Number(type.replaceAll(/\D/g, ''))
  const isWide = bits === 64
  const text =
    given instanceof NumberToken ? given.source : isWide && typeof given === 'string' ? given : ''
  if (!INTEGER.test(text)) return undefined
  const value = BigInt(text)
  const fits =
    type[0] === 'u' ? BigInt.asUintN(bits, value) === value : BigInt.asIntN(bits, value) === value
  if (!fits) return undefined
  return isWide ? value.toString() : Number(value)
}

/** Unique everywhere, and in the order of acceptance within a project. */
export function messageId({ projectId, number }: Pick<Message, 'projectId' | 'number'>): string {
  return `${projectId}-${number}`
}

/** The number after which to go on. */
export function readSince(text: string | undefined, projectId: ItemId): number | undefined {
  return readPlace('since', text, projectId)
}

/** The number of the message whose id is given as `name`. */
export function readPlace(
  name: string,
  text: string | undefined,
  projectId: ItemId,
): number | undefined {
  if (text === undefined || text === '') return undefined
  const [project, number = ''] = text.split('-')
  if (project === projectId && /^\d{1,15}$/.test(number)) return Number(number)
  throw new BadRequest(
    `${name} ${JSON.stringify(text)} is no id of a message of this project.`,
    `${name} ${JSON.stringify(text)} はこのプロジェクトのメッセージ ID ではありません。`,
  )
}
