/**
 * One request to the gateway that the operator has named. It may be on this machine or in its network, where
 * gateways usually are: the rule about private targets is for addresses that users give
 * (docs/adr/0025-outbound-requests.md). Redirects are not followed. Each request has a connection of its own, so
 * that "was never connected" means "was not sent".
 */
import type { IncomingHttpHeaders } from 'node:http'
import { http, https } from '../../kernel/node-http.ts'

/** Within the claim of a message (CLAIM_SECONDS), with room to settle it. */
const TIMEOUT_MS = 8000
/** An answer is a line or a small object; more is not read. */
const ANSWER_BYTES_MAX = 16 * 1024

export interface GatewayRequest {
  readonly method: 'GET' | 'POST' | 'HEAD'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface GatewayAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

/** `isSent` false: the gateway cannot have it. True: nobody knows. The message names no address and no secret. */
export class GatewayFailure extends Error {
  readonly isSent: boolean

  constructor(message: string, isSent: boolean) {
    super(message)
    this.isSent = isSent
  }
}

export function requestGateway(
  url: URL,
  { method, headers = {}, body }: GatewayRequest,
): Promise<GatewayAnswer> {
  const isTls = url.protocol === 'https:'
  const length = body === undefined ? {} : { 'content-length': body.length }
  return new Promise((resolve, reject) => {
    let isSent = false
    const outgoing = (isTls ? https : http).request(url, {
      method,
      headers: { ...headers, ...length },
      agent: false,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const fail = (error: Error) => reject(new GatewayFailure(reasonOf(error), isSent))
    outgoing.on('socket', (socket) => {
      // Nothing is written before: with TLS not before the certificate was checked.
      socket.once(isTls ? 'secureConnect' : 'connect', () => {
        isSent = true
      })
    })
    outgoing.on('error', fail)
    outgoing.on('response', (answer) => {
      const { statusCode: status = 0, headers: received } = answer
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk
        if (text.length > ANSWER_BYTES_MAX) {
          answer.destroy(new Error(`the answer has more than ${ANSWER_BYTES_MAX} characters`))
        }
      })
      answer.once('error', fail)
      answer.once('end', () => resolve({ status, headers: received, text }))
    })
    outgoing.end(body)
  })
}

function reasonOf(error: Error & { readonly code?: string }): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') {
    return `no answer within ${TIMEOUT_MS / 1000} seconds`
  }
  return error.code ?? error.message
}
