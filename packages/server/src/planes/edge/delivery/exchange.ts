/** A request and the way to answer it, whatever version of HTTP it came by. */
import type { Readable } from 'node:stream'
import type { RequestFields } from '../policy/fields.ts'
import type { Head } from './head.ts'

export interface ClientRequest {
  readonly method: string
  /** Path and query as they were sent. */
  readonly target: string
  /** In lower case, without a port. */
  readonly host: string
  readonly fields: RequestFields
  readonly isTls: boolean
  /** Of the client: the peer, or whom a trusted proxy names. */
  readonly address: string
}

export interface Exchange extends ClientRequest {
  readonly httpVersion: string
  /** Of the request; undefined when there is none. */
  readonly body: Readable | undefined
  readonly isClosed: boolean
  /** A whole answer. The text has the same bytes as the body, one each character. */
  send(head: Head, body: Buffer | undefined, text?: string): void
  begin(head: Head): void
  /** False when the client is slow: more waits for `onDrain`. */
  write(chunk: Buffer): boolean
  onDrain(drained: () => void): void
  end(): void
  /** What was begun cannot be completed; the client must notice. */
  abort(): void
  /** Once, when all is sent or the client is gone. */
  onClose(closed: () => void): void
}
