import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'

/** What a request begins with, whoever has read it. */
export interface Head {
  readonly method?: string | undefined
  readonly url?: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket
}
