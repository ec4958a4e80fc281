/**
 * Requests to addresses that users gave. The address that is checked is the one that is connected to:
 * the check sits in the lookup of the connection itself, so that a name that answers differently the
 * second time gains nothing. Redirects are not followed, and of the answer only its status is handed on.
 */
import { isIP } from 'node:net'
import { checkedLookup } from '../../kernel/checked-lookup.ts'
import { http, https } from '../../kernel/node-http.ts'
import { isOwnNetwork } from './targets.ts'

/** From the lookup of the name to the head of the answer. */
const TIMEOUT_MS = 10_000

export interface Outbound {
  /** Whether addresses of this machine and of its own network may be reached. */
  readonly allowPrivate: boolean
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string | undefined
}

export type Outcome = 'sent' | 'failed' | 'refused'

export interface Posted {
  readonly outcome: Outcome
  /** Of the answer, if there was one. */
  readonly status: number | undefined
  /** For people, when it was not sent. */
  readonly reason: string | undefined
}

/** Only by TLS: what is sent is nobody else's business. */
export async function postJson(url: string, body: object, outbound: Outbound): Promise<Outcome> {
  if (URL.parse(url)?.protocol !== 'https:') return 'refused'
  return (await post(url, Buffer.from(JSON.stringify(body)), {}, outbound)).outcome
}

/** By TLS or not, as the address says. */
export function post(...given: Given): Promise<Posted> {
  return checkAndSend('POST', ...given)
}

export function put(...given: Given): Promise<Posted> {
  return checkAndSend('PUT', ...given)
}

type Given = [
  url: string,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  outbound: Outbound,
]

function checkAndSend(method: 'POST' | 'PUT', ...[url, body, headers, outbound]: Given) {
  const target = URL.parse(url)
  if (target?.protocol !== 'https:' && target?.protocol !== 'http:') {
    return Promise.resolve(refused('the address is neither http nor https'))
  }
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // A literal address is connected to without a lookup.
  if (isIP(host) !== 0 && !outbound.allowPrivate && isOwnNetwork(host)) {
    return Promise.resolve(refused(OWN_NETWORK))
  }
  return send(method, target, body, headers, outbound)
}

const OWN_NETWORK = 'the address leads into our own network'

function refused(reason: string): Posted {
  return { outcome: 'refused', status: undefined, reason }
}

function send(
  method: string,
  target: URL,
  body: Buffer,
  headers: Readonly<Record<string, string>>,
  { allowPrivate, ca }: Outbound,
): Promise<Posted> {
  const request = target.protocol === 'https:' ? https.request : http.request
  return new Promise((resolve) => {
    const outgoing = request(target, {
      method,
      headers: { 'content-type': 'application/json', 'content-length': body.length, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // A connection of its own: one that is kept open was checked for another request.
      agent: false,
      ...(allowPrivate ? {} : { lookup: outsideLookup }),
      ...(ca === undefined ? {} : { ca }),
    })
    outgoing.on('response', (answer) => {
      answer.destroy()
      const status = answer.statusCode ?? 0
      const isSent = status >= 200 && status < 300
      const reason = isSent ? undefined : `the receiver has answered ${status}`
      resolve({ outcome: isSent ? 'sent' : 'failed', status, reason })
    })
    outgoing.on('error', (error) => resolve(failureOf(error)))
    outgoing.end(body)
  })
}

function failureOf(error: Error & { code?: string }): Posted {
  if (error instanceof OwnNetwork) return refused(OWN_NETWORK)
  const isLate = error.name === 'TimeoutError' || error.name === 'AbortError'
  const reason = isLate
    ? `there was no answer within ${TIMEOUT_MS / 1000} seconds`
    : `the receiver cannot be reached: ${error.code ?? error.message}`
  return { outcome: 'failed', status: undefined, reason }
}

class OwnNetwork extends Error {}

const outsideLookup = checkedLookup(
  isOwnNetwork,
  (hostname) => new OwnNetwork(`${hostname} leads into our own network.`),
)
