/** The interface as functions: a name and its input in, an answer or a refusal out. */
import { families, type OperationName, operations } from './generated/operations.ts'

export type { OperationName }

export interface ClientOptions {
  /** `{base_url}` of the interface, such as `https://localhost:8443/cloud`. */
  readonly baseUrl: string
  /** The zone in the path; what is common to all zones is best asked of the default, is1a. */
  readonly zone?: string
  readonly token?: string
  readonly secret?: string
  /** For the operator API alone; the key is never sent there, nor this anywhere else. */
  readonly operatorToken?: string
  readonly fetch?: typeof fetch
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  /** The search object of lists and logs: `{ From, Count, Sort, Include, Filter }`. */
  readonly search?: object
  readonly query?: Readonly<Record<string, string | number | boolean>>
  readonly body?: unknown
  /** A body that is sent as it is. */
  readonly text?: string
}

export interface Answer {
  readonly ok: true
  readonly status: number
  /** What the JSON says, or the text of an answer that is no JSON. */
  readonly data: unknown
}

export interface Refused {
  readonly ok: false
  readonly status: number
  readonly code: string
  readonly message: string
  /** Finds the request in the log of the server. */
  readonly serial: string
}

export interface Client {
  /** Rejects only when no readable answer came: a refusal is a result like any other. */
  call(name: OperationName, input?: CallInput): Promise<Answer | Refused>
}

export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch
  return {
    async call(name, input = {}) {
      const response = await send(addressOf(options, name, input), {
        method: operations[name].method,
        headers: headersOf(options, name, input),
        body: input.text ?? (input.body === undefined ? null : JSON.stringify(input.body)),
      })
      const data = parse(await response.text(), response.headers.get('content-type'))
      return response.ok ? { ok: true, status: response.status, data } : refused(response, data)
    },
  }
}

function addressOf(
  { baseUrl, zone = 'is1a' }: ClientOptions,
  name: OperationName,
  input: CallInput,
) {
  const { path, family } = operations[name]
  const { base, root } = families[family]
  const start = root ? new URL(baseUrl).origin : baseUrl.replace(/\/+$/, '')
  const values: Readonly<Record<string, string>> = { zone, ...input.params }
  const filled = `${base}${path}`.replaceAll(/\{(\w+)\}/g, (_, key: string) => {
    const value = values[key]
    // A step of one or two dots would be taken for a way to another path, an empty one for none.
    if (value === undefined || /^\.{0,2}$/.test(value)) {
      throw new TypeError(`${name} needs the path parameter ${key}.`)
    }
    return encodeURIComponent(value)
  })
  return `${start}${filled}${queryOf(input)}`
}

/** Escaped by percent signs only: the server takes a plus for a plus, as in `+09:00`. */
function queryOf({ search, query }: CallInput): string {
  if (search !== undefined) return `?${encodeURIComponent(JSON.stringify(search))}`
  const pairs = Object.entries(query ?? {}).map(
    ([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`,
  )
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function headersOf(options: ClientOptions, name: OperationName, input: CallInput): Headers {
  const { token, secret, operatorToken } = options
  const headers = new Headers({ accept: 'application/json' })
  if (families[operations[name].family].root) {
    if (operatorToken !== undefined) headers.set('authorization', `Bearer ${operatorToken}`)
  } else if (token !== undefined) {
    const bytes = new TextEncoder().encode(`${token}:${secret ?? ''}`)
    headers.set('authorization', `Basic ${btoa(String.fromCodePoint(...bytes))}`)
  }
  if (input.text !== undefined) headers.set('content-type', 'text/plain; charset=utf-8')
  else if (input.body !== undefined) headers.set('content-type', 'application/json')
  return headers
}

function parse(text: string, type: string | null): unknown {
  return type?.startsWith('application/json') ? JSON.parse(text) : text
}

/** A proxy in between may answer in a form of its own; then its text is all there is to say. */
function refused({ status, statusText }: Response, data: unknown): Refused {
  const body: Readonly<Record<string, unknown>> = typeof data === 'object' ? { ...data } : {}
  const code = String(body.error_code ?? 'unknown')
  const message = String(body.error_msg ?? (data || statusText))
  return { ok: false, status, code, message, serial: String(body.serial ?? '') }
}
