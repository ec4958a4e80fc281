import type { Readable } from 'node:stream'

/** An answer that is no JSON at all: bytes, with the status and the headers that belong to them. */
export class RawAnswer {
  readonly status: number
  readonly media: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readable | string

  constructor(
    status: number,
    media: string,
    headers: Readonly<Record<string, string>>,
    body: Readable | string,
  ) {
    this.status = status
    this.media = media
    this.headers = headers
    this.body = body
  }
}
