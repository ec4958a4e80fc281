/** Sends requests: with the right credentials, again where that is worth it, until an answer is there. */
import { DigestSession } from './digest.ts'
import { operations } from './generated/operations.ts'
import { addressOf, basicCredentials, bodyOf, isOperators, type Place } from './request.ts'
import { type RetryOptions, sleepFor, type Waiting, withRetry } from './retry.ts'
import type { AnyInput, CallOptions, OperationName } from './types.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface ClientOptions extends Place, Partial<Waiting> {
  readonly token?: string
  readonly secret?: string
  /**
   * How the key is shown: `basic` unless said otherwise. `digest` never sends the secret and is refused
   * where the server takes Basic alone, which is everywhere but in the web accelerator.
   */
  readonly auth?: 'basic' | 'digest'
  /** For the operator API alone; the key is never sent there, nor this anywhere else. */
  readonly operatorToken?: string
  /** Sent with every call, such as `Accept-Language`. */
  readonly headers?: Readonly<Record<string, string>>
  readonly retry?: RetryOptions
  readonly fetch?: Fetch
}

export type Send = (
  name: OperationName,
  input: AnyInput,
  options: CallOptions & { readonly headers?: Readonly<Record<string, string>> },
) => Promise<Response>

export function wire(options: ClientOptions): Send {
  const fetchOne: Fetch = options.fetch ?? ((url, init) => fetch(url, init))
  const waiting = { sleep: options.sleep ?? sleepFor, random: options.random ?? Math.random }
  const { token, secret = '' } = options
  const digest =
    options.auth === 'digest' && token !== undefined ? new DigestSession(token, secret) : undefined

  return async (name, input, { signal, zone, headers: more }) => {
    const place = zone === undefined ? options : { ...options, zone }
    const url = addressOf(place, name, input)
    const { method } = operations[name]
    const content = bodyOf(input)
    const usesDigest = digest !== undefined && !isOperators(name)
    const send = async () => {
      const authorization = usesDigest
        ? await digest.header(method, url)
        : credentials(options, name)
      const headers = lowerCased({ accept: 'application/json', ...options.headers, ...more })
      if (authorization !== undefined) headers.authorization = authorization
      if (content !== undefined) headers['content-type'] = content.type
      // Nothing of the browser's own goes along, and no 401 makes it ask its user for a password.
      const init: RequestInit = { method, headers, credentials: 'omit' }
      if (content !== undefined) init.body = content.body
      if (signal !== undefined) init.signal = signal
      const response = await fetchOne(url, init)
      return { response, hadCredentials: authorization !== undefined }
    }
    const answered = async () => {
      const { response, hadCredentials } = await send()
      if (!usesDigest || response.status !== 401) return response
      if (!digest.accept(response.headers.get('www-authenticate'), hadCredentials)) return response
      await response.body?.cancel()
      return (await send()).response
    }
    return withRetry(answered, options.retry ?? {}, waiting, signal)
  }
}

/** Not as `Headers`, which Node loads all of its fetch for: a caller may have given another one. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}

function credentials(
  { token, secret = '', operatorToken }: ClientOptions,
  name: OperationName,
): string | undefined {
  if (isOperators(name)) return operatorToken === undefined ? undefined : `Bearer ${operatorToken}`
  return token === undefined ? undefined : basicCredentials(token, secret)
}
