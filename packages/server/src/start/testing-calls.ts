/** Requests that reach the server without a socket. */
import type { ApiServer } from '../http/server.ts'

/** The type of `inject` knows the usual methods. */
type Method = 'GET'

/** `fetch` for one cloud. A path is taken below its origin. */
export function fetchFrom(api: ApiServer, origin: string) {
  return async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const request = input instanceof Request ? input : new Request(new URL(input, origin), init)
    const { pathname, search, host } = new URL(request.url)
    const body = Buffer.from(await request.arrayBuffer())
    try {
      const answer = await api.inject({
        method: request.method as Method,
        url: pathname + search,
        headers: { host, ...Object.fromEntries(request.headers) },
        ...(body.length > 0 && { payload: body }),
      })
      return new Response(new Uint8Array(answer.rawPayload), {
        status: answer.statusCode,
        headers: headersOf(answer.headers),
      })
    } catch (cause) {
      // As fetch itself says it when the connection is gone.
      throw new TypeError('fetch failed', { cause })
    }
  }
}

function headersOf(given: Readonly<Record<string, unknown>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    for (const one of [value].flat()) if (one !== undefined) headers.append(name, String(one))
  }
  return headers
}

export function operatorOf(api: ApiServer, token: string) {
  const call = fetchFrom(api, 'http://localhost')
  return async (
    method: string,
    path: string,
    body?: object,
  ): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await call(`/_kumoi/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const received = await answer.json()
    if (!answer.ok) throw new Error(`${method} ${path}: ${received.error_msg}`)
    return received
  }
}
