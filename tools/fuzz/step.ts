/** A valid call as the scenario writes it, and the ids that its answer gives to later ones. */
import { basic, OPERATOR_TOKEN } from '../../packages/server/src/testing/cloud.ts'
import { type Call, operations } from './call.ts'

const SEEN_MAX = 200
/** Tokens are longer. They differ between servers, and a rule may take the one and refuse the other. */
const SEEN_LENGTH_MAX = 32
/** A small number is that of things of several kinds, and on each server of others. */
const SEEN_LENGTH_MIN = 8

/** By the name that the scenario gave it; text of the server's own making besides. */
export class Pool {
  readonly named = new Map<string, string>()
  /** Every id and serial that was seen, for where they do not belong. */
  readonly seen: string[] = ['910000000000']

  get(name: string): string {
    return this.named.get(name) ?? `no-${name}`
  }

  copy(): Pool {
    const copy = new Pool()
    for (const [name, value] of this.named) copy.named.set(name, value)
    copy.seen.splice(0, copy.seen.length, ...this.seen)
    return copy
  }

  set(name: string, value: unknown): void {
    if (typeof value !== 'string' && typeof value !== 'number') return
    const text = String(value)
    this.named.set(name, text)
    if (text.length >= SEEN_LENGTH_MIN && text.length <= SEEN_LENGTH_MAX) this.seen.push(text)
    if (this.seen.length > SEEN_MAX) this.seen.splice(0, SEEN_MAX / 2)
  }
}

/** What of a call differs from the usual. */
export interface Draft {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: object
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** The body as it is sent, where it is no JSON. */
  readonly text?: string
}

export interface Step {
  readonly name: string
  readonly draft: (pool: Pool) => Draft
  /** The path in the answer of each value that later steps need; an empty one is the whole answer. */
  readonly keep: Readonly<Record<string, string>>
}

export function step(
  name: string,
  draft: Draft | ((pool: Pool) => Draft) = {},
  keep: Readonly<Record<string, string>> = {},
): Step {
  return { name, draft: typeof draft === 'function' ? draft : () => draft, keep }
}

export function callOf({ name, draft }: Step, pool: Pool): Call {
  const { params = {}, query, body, headers = {}, text } = draft(pool)
  const access = operations.get(name)?.operation.access
  const isOperator = access === 'operator' || access === 'loopback'
  const authorization = isOperator ? `Bearer ${OPERATOR_TOKEN}` : basic('acme-token')
  return {
    name,
    params,
    query: query === undefined ? '' : encodeURIComponent(JSON.stringify(query)),
    headers: { authorization, ...headers },
    body: text ?? (body === undefined ? undefined : JSON.stringify(body)),
  }
}

/** Puts what the answer to a step has into the pool. */
export function learn({ keep }: Step, answer: unknown, pool: Pool): void {
  for (const [name, path] of Object.entries(keep)) {
    const steps = path === '' ? [] : path.split('.')
    const value = steps.reduce<unknown>((inner, key) => Object(inner)[key], answer)
    // Of an address, its last segment: tokens are handed out so.
    const isAddress = typeof value === 'string' && value.startsWith('http')
    pool.set(name, isAddress ? value.split('/').at(-1) : value)
  }
}
