/** Finds the route of a method and a path. Static segments go before parameters. */
import findMyWay, { type HTTPMethod } from 'find-my-way'

/** A longer parameter is nothing that we ever gave out. */
const PARAMETER_LENGTH_MAX = 200

export interface Found<T> {
  readonly value: T
  readonly params: Readonly<Record<string, string>>
}

export class Router<T> {
  readonly #routes = findMyWay({ maxParamLength: PARAMETER_LENGTH_MAX, caseSensitive: true })
  readonly #methods = new Set<string>()
  /** The library would search all routes for each one. */
  readonly #added = new Set<string>()

  /** `path` has `{name}` for a parameter, which is a whole segment. */
  add(method: HTTPMethod, path: string, value: T): void {
    if (/[^/]\{|\}[^/]/.test(path)) throw new Error(`${path}: a parameter is a whole segment.`)
    const pattern = path.replaceAll(':', '::').replaceAll(/\{(\w+)\}/g, ':$1')
    if (this.#added.has(`${method} ${path}`)) throw new Error(`${method} ${path} is there twice.`)
    this.#added.add(`${method} ${path}`)
    // The library wants a function; what it stores is handed back with the parameters.
    this.#routes.on(method, pattern, () => undefined, value)
    this.#methods.add(method)
  }

  find(method: string, path: string): Found<T> | undefined {
    // The library would cut a fragment off; a path that has one is the path of nothing.
    if (!path.startsWith('/') || path.includes('#')) return undefined
    // PostgreSQL cannot compare with U+0000. As another character it is part of no id either.
    const readable = path.includes('%00') ? path.replaceAll('%00', '%EF%BF%BD') : path
    const found = this.#routes.find((method === 'HEAD' ? 'GET' : method) as HTTPMethod, readable)
    if (found === null) return undefined
    const params = { ...found.params } as Record<string, string>
    for (const name in params) if (!params[name]) return undefined
    return { value: found.store, params }
  }

  /** Sorted; empty when there is nothing at this path. */
  methodsOf(path: string): string[] {
    const methods = [...this.#methods].filter((method) => this.find(method, path) !== undefined)
    return [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].sort()
  }
}
