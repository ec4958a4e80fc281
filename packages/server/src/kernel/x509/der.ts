/**
 * The part of DER (ITU-T X.690) that an X.509 certificate needs, written out here because Node can
 * read certificates but not make them. It only encodes, so there is no hostile input to survive.
 */

const FIRST_GENERALIZED_YEAR = 2050
const FIRST_UTC_YEAR = 1950

function lengthOf(size: number): Buffer {
  if (size < 0x80) return Buffer.of(size)
  const octets = bigEndian(size)
  return Buffer.of(0x80 | octets.length, ...octets)
}

function bigEndian(value: number): readonly number[] {
  const octets: number[] = []
  for (let rest = value; rest > 0; rest = Math.floor(rest / 256)) octets.unshift(rest % 256)
  return octets
}

function element(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag), lengthOf(content.length), content])
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(0x30, ...items)

/** DER wants the members of a set in the order of their encodings. */
export function set(...items: readonly Uint8Array[]): Buffer {
  return element(0x31, ...items.toSorted(Buffer.compare))
}

/** A number that is not negative, or the big-endian octets of one, such as a serial number. */
export function integer(value: number | Uint8Array): Buffer {
  if (typeof value === 'number' && !(Number.isSafeInteger(value) && value >= 0)) {
    throw new RangeError(`${value} is not a whole number from 0 up.`)
  }
  const octets = typeof value === 'number' ? bigEndian(value) : [...value]
  const start = octets.findIndex((octet) => octet !== 0)
  const shortest = start === -1 ? [0] : octets.slice(start)
  // A first bit of 1 would make the number negative.
  const sign = (shortest[0] ?? 0) >= 0x80 ? [0] : []
  return element(0x02, Buffer.of(...sign, ...shortest))
}

export const boolean = (value: boolean): Buffer => element(0x01, Buffer.of(value ? 0xff : 0x00))

/** An object identifier in its dotted form. */
export function oid(dotted: string): Buffer {
  const [first, second, ...rest] = dotted.split('.').map(Number)
  if (first === undefined || second === undefined || !/^[0-2](\.\d+)+$/.test(dotted)) {
    throw new RangeError(`${dotted} is not an object identifier.`)
  }
  return element(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)))
}

function base128(value: number): readonly number[] {
  const octets = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    octets.unshift(0x80 | (rest % 128))
  }
  return octets
}

/** The unused bits are the last ones of the last octet. */
export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return element(0x03, Buffer.of(unusedBits), content)
}

export const octetString = (content: Uint8Array): Buffer => element(0x04, content)

export const utf8String = (text: string): Buffer => element(0x0c, Buffer.from(text, 'utf8'))

export const isPrintable = (text: string): boolean => /^[A-Za-z0-9 '()+,\-./:=?]*$/.test(text)

export function printableString(text: string): Buffer {
  if (!isPrintable(text)) {
    throw new RangeError(`${JSON.stringify(text)} has characters that PrintableString lacks.`)
  }
  return element(0x13, Buffer.from(text, 'latin1'))
}

/** RFC 5280, 4.1.2.5: UTCTime through 2049, GeneralizedTime from 2050, whole seconds, always Z. */
export function time(at: Date): Buffer {
  const year = at.getUTCFullYear()
  if (!(year >= FIRST_UTC_YEAR && year <= 9999)) {
    throw new RangeError('A certificate can only hold times from 1950 to 9999.')
  }
  const digits = at.toISOString().replaceAll(/\.\d+|[-:T]/g, '')
  return year < FIRST_GENERALIZED_YEAR
    ? element(0x17, Buffer.from(digits.slice(2), 'latin1'))
    : element(0x18, Buffer.from(digits, 'latin1'))
}

/** `[number] EXPLICIT`: a whole element inside a context tag. */
export const explicit = (number: number, inner: Uint8Array): Buffer => element(0xa0 | number, inner)

/** `[number] IMPLICIT` on a primitive type: the context tag stands in place of the type's own. */
export function implicit(number: number, content: Uint8Array): Buffer {
  return element(0x80 | number, content)
}
