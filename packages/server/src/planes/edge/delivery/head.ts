/** Status and fields of an answer, in the forms in which HTTP/1.1 and HTTP/2 send them. */
import type { Fields } from '../policy/fields.ts'

export type Http2Fields = Record<string, string | number | string[]>

export class Head {
  readonly status: number
  readonly fields: Fields
  /** As the usage counts it: as text of HTTP/1.1, whatever the version is. */
  readonly bytes: number
  #http2: Http2Fields | undefined

  constructor(status: number, fields: Fields) {
    this.status = status
    this.fields = fields
    this.bytes = fields.reduce((sum, text) => sum + text.length + 2, STATUS_BYTES)
  }

  get http2(): Http2Fields {
    this.#http2 ??= http2Fields(this)
    return this.#http2
  }
}

/** `HTTP/1.1 200 OK`, its end and the empty one after the fields. */
const STATUS_BYTES = 19

function http2Fields({ status, fields }: Head): Http2Fields {
  const found: Http2Fields = { ':status': status }
  for (let at = 0; at < fields.length; at += 2) {
    const [name = '', value = ''] = [fields[at], fields[at + 1]]
    const before = found[name]
    if (before === undefined) found[name] = name === 'set-cookie' ? [value] : value
    else if (Array.isArray(before)) before.push(value)
    // Node throws when some fields are there twice.
    else found[name] = `${before}, ${value}`
  }
  return found
}
