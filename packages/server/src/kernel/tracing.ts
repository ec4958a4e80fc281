/** Traces of what the server does; a port that only some servers have (docs/operating.md). */
import type { IncomingHttpHeaders } from 'node:http'

/** A request is known by its object: so is the transaction that is carried out for it. */
export interface TracedRequest {
  readonly serial: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

export interface TracedAnswer {
  /** The operation. */
  readonly name: string
  /** Its path with the names of parameters, never their values. */
  readonly route: string | undefined
  readonly status: number
  readonly account: string | undefined
}

export interface Tracing {
  begin(request: TracedRequest): void
  end(request: TracedRequest, answer: TracedAnswer): void
  /** As part of a request, or by itself. */
  transaction<T>(
    kind: 'read' | 'write',
    request: object | undefined,
    run: () => Promise<T>,
  ): Promise<T>
  job<T>(name: string, run: () => Promise<T>): Promise<T>
  /** Sends what is still to be sent. */
  close(): Promise<void>
}
