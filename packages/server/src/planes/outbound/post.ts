/**
 * Requests to addresses that users gave. The address that is checked is the one that is connected to:
 * the check sits in the lookup of the connection itself, so that a name that answers differently the
 * second time gains nothing. Redirects are not followed, and nothing of the answer is handed on.
 */
import { lookup } from 'node:dns'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isOwnNetwork } from './targets.ts'

/** From the lookup of the name to the head of the answer. */
const TIMEOUT_MS = 10_000

export interface Outbound {
  /** Whether addresses of this machine and of its own network may be reached. */
  readonly allowPrivate: boolean
  /** Certificates to trust instead of the usual ones. */
  readonly ca?: string
}

export type Outcome = 'sent' | 'failed' | 'refused'

export function postJson(url: string, body: object, outbound: Outbound): Promise<Outcome> {
  const target = URL.parse(url)
  if (target?.protocol !== 'https:') return Promise.resolve('refused')
  const host = target.hostname.replace(/^\[|\]$/g, '')
  // A literal address is connected to without a lookup.
  if (isIP(host) !== 0 && !outbound.allowPrivate && isOwnNetwork(host)) {
    return Promise.resolve('refused')
  }
  return send(target, JSON.stringify(body), outbound)
}

function send(target: URL, text: string, { allowPrivate, ca }: Outbound): Promise<Outcome> {
  return new Promise((resolve) => {
    const outgoing = request(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      // A connection of its own: one that is kept open was checked for another request.
      agent: false,
      ...(allowPrivate ? {} : { lookup: checkedLookup }),
      ...(ca === undefined ? {} : { ca }),
    })
    outgoing.on('response', (answer) => {
      answer.destroy()
      const status = answer.statusCode ?? 0
      resolve(status >= 200 && status < 300 ? 'sent' : 'failed')
    })
    outgoing.on('error', (error) => resolve(error instanceof OwnNetwork ? 'refused' : 'failed'))
    outgoing.end(text)
  })
}

class OwnNetwork extends Error {}

/** Every address of the name must be outside: which one is connected to is not ours to choose. */
const checkedLookup: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0)
    const [first] = addresses
    if (first === undefined || addresses.some(({ address }) => isOwnNetwork(address))) {
      return callback(new OwnNetwork(`${hostname} leads into our own network.`), '', 0)
    }
    if (options.all) return callback(null, addresses)
    return callback(null, first.address, first.family)
  })
}
