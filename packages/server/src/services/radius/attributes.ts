/**
 * The attributes of a packet as FreeRADIUS' `rlm_rest` sends them: `{"Name": {"type": "string", "value": ["…"]}, …}`.
 * Bytes that are no UTF-8 may be in it, since a NAS may send any.
 */
import { BadRequest, TooLarge } from '../../kernel/errors.ts'
import { parseIpv4 } from '../../kernel/ipv4.ts'
import { PACKET_BYTES_MAX, TEXT_LENGTH_MAX } from './rules.ts'

export class Attributes {
  readonly #all: Readonly<Record<string, unknown>>

  constructor(all: Readonly<Record<string, unknown>>) {
    this.#all = all
  }

  static read(body: Buffer): Attributes {
    if (body.length > PACKET_BYTES_MAX) {
      throw new TooLarge(
        `A packet has at most ${PACKET_BYTES_MAX / 1024} KiB.`,
        `パケットは ${PACKET_BYTES_MAX / 1024} KiB 以下です。`,
      )
    }
    const value = parse(body)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new BadRequest(
        'The body must be an object of attributes.',
        '本文は属性のオブジェクトです。',
      )
    }
    // What was checked: an object, whose members are looked at one by one.
    return new Attributes(value as Record<string, unknown>)
  }

  /** A number as its digits; without the zero bytes that some elements put at the end. */
  text(name: string): string | undefined {
    const value = this.#first(name)
    if (typeof value === 'number') return String(value)
    if (typeof value !== 'string') return undefined
    const text = withoutNuls(value)
    if (text.length > TEXT_LENGTH_MAX || text.includes('\0')) {
      throw new BadRequest(
        `${name} must be text of at most ${TEXT_LENGTH_MAX} characters.`,
        `${name} は ${TEXT_LENGTH_MAX} 文字以下の文字列です。`,
      )
    }
    return text === '' ? undefined : text
  }

  /** A whole number of 32 bits. */
  number(name: string): number | undefined {
    const value = this.#first(name)
    if (value === undefined) return undefined
    const number = typeof value === 'string' && /^[0-9]{1,10}$/.test(value) ? Number(value) : value
    if (typeof number === 'number' && Number.isInteger(number) && number >= 0 && number < 2 ** 32) {
      return number
    }
    throw new BadRequest(
      `${name} must be a whole number from 0 to 4294967295.`,
      `${name} は 0 から 4294967295 までの整数です。`,
    )
  }

  address(name: string): number | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : parseIpv4(text)
  }

  /**
   * In seconds since 1970. FreeRADIUS writes the date in its own time zone, which cannot be read anywhere else, so our
   * configuration of it sends the number, too.
   */
  eventSeconds(): number | undefined {
    if (this.#first('Event-Timestamp-Seconds') !== undefined) {
      return this.number('Event-Timestamp-Seconds')
    }
    const value = this.#first('Event-Timestamp')
    if (typeof value === 'number') return this.number('Event-Timestamp')
    if (typeof value !== 'string' || !/ (UTC|GMT)$/.test(value)) return undefined
    const time = Date.parse(value)
    return Number.isNaN(time) ? undefined : Math.floor(time / 1000)
  }

  #first(name: string): unknown {
    const member = Object.hasOwn(this.#all, name) ? this.#all[name] : undefined
    if (typeof member !== 'object' || member === null || !('value' in member)) return undefined
    return Array.isArray(member.value) ? member.value[0] : member.value
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (cause) {
    throw new BadRequest('The body is not valid JSON.', '本文が正しいJSONではありません。', {
      cause,
    })
  }
}

function withoutNuls(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\0') end -= 1
  return text.slice(0, end)
}
