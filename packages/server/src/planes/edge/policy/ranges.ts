/** Ranges of bytes (RFC 9110, section 14). One range is served; several are answered with the whole, as section 14.2 allows. */

export interface ByteRange {
  readonly start: number
  /** Of the byte after the last one. */
  readonly end: number
}

const ONE_RANGE = /^bytes=\s*(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))\s*$/i

/** Undefined: the whole is sent. */
export function rangeOf(
  value: string | undefined,
  length: number,
): ByteRange | 'unsatisfiable' | undefined {
  const match = value === undefined ? null : ONE_RANGE.exec(value)
  if (match === null) return undefined
  const [, first, last, suffix] = match
  if (suffix !== undefined) {
    const count = Math.min(Number(suffix), length)
    return count === 0 ? 'unsatisfiable' : { start: length - count, end: length }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= length) return 'unsatisfiable'
  return { start, end: last === '' ? length : Math.min(Number(last) + 1, length) }
}

/** Whether it begins with the first byte, as that of a player or of a download does. */
export function isFromStart(value: string): boolean {
  return /^bytes=\s*0-\d*\s*$/i.test(value)
}
