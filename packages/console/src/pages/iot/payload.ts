/** Values as a reader types them, and as the wire wants them (docs/iot-messages.md). */
import { iotText } from './texts.ts'

export const VALUE_TYPES = [
  ...(['uint8', 'uint16', 'uint32', 'uint64', 'int8', 'int16', 'int32', 'int64'] as const),
  ...(['float32', 'float64', 'bool', 'string', 'binary'] as const),
] as const
export type ValueType = (typeof VALUE_TYPES)[number]

export interface Entry {
  readonly tag: string
  readonly type: ValueType
  readonly value: string
}

export interface Value {
  readonly tag: string
  readonly type: ValueType
  readonly value: string | number | boolean
}

export const FIRST_ENTRY: Entry = { tag: '01', type: 'uint8', value: '1' }

export function nextEntry(entries: readonly Entry[]): Entry {
  const last = Number.parseInt(entries.at(-1)?.tag ?? '0', 16) || 0
  const tag = Math.min(255, last + 1)
    .toString(16)
    .toUpperCase()
  return { ...FIRST_ENTRY, tag: tag.padStart(2, '0') }
}

/** What is wrong with what was typed; undefined when nothing is. */
export function problemOf(entries: readonly Entry[]): string | undefined {
  for (const { tag, type, value } of entries) {
    if (!/^[0-9A-Fa-f]{2}$/.test(tag)) return iotText('tagWrong')
    if (!isOfType(type, value)) return iotText('valueWrong', { tag, type })
  }
  return undefined
}

export function toPayload(entries: readonly Entry[]): Value[] {
  return entries.map(({ tag, type, value }) => ({
    ...{ tag: tag.toUpperCase(), type },
    value: typed(type, value.trim(), value),
  }))
}

/** 64-bit integers stay digits, since a number would lose some. */
function typed(type: ValueType, trimmed: string, raw: string): string | number | boolean {
  if (type === 'bool') return trimmed === 'true'
  if (type === 'string') return raw
  return type.endsWith('64') && type !== 'float64' ? trimmed : numberOr(type, trimmed)
}

function numberOr(type: ValueType, text: string): string | number {
  return type === 'binary' ? text : Number(text)
}

function isOfType(type: ValueType, raw: string): boolean {
  const text = raw.trim()
  if (type === 'string') return true
  if (type === 'bool') return text === 'true' || text === 'false'
  if (type === 'binary') return isBase64(text)
  if (type.startsWith('float')) return text !== '' && Number.isFinite(Number(text))
  if (!/^-?\d{1,20}$/.test(text)) return false
  const bits = BigInt(type.replaceAll(/\D/g, ''))
  const isSigned = type.startsWith('int')
  const value = BigInt(text)
  const top = isSigned ? 2n ** (bits - 1n) : 2n ** bits
  return value < top && value >= (isSigned ? -top : 0n)
}

function isBase64(text: string): boolean {
  try {
    return btoa(atob(text)) === text
  } catch {
    return false
  }
}
