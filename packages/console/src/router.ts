/**
 * Where the reader is. The address holds the state of a page after its `#`, as a path and a query, so that
 * a reload, a bookmark and the back button find it again.
 */
import { useSyncExternalStore } from './data/store.ts'

export interface Route {
  readonly path: string
  readonly query: Readonly<Record<string, string>>
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#/, '').split('?')
  return {
    path: path.startsWith('/') ? withoutEndSlashes(path) : '/',
    query: Object.fromEntries(new URLSearchParams(query)),
  }
}

function withoutEndSlashes(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Empty values are left out, so that one state has one address. */
export function hrefOf(path: string, query: Readonly<Record<string, string | undefined>> = {}) {
  const kept = Object.entries(query).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== '',
  )
  const text = new URLSearchParams(kept).toString()
  return `#${path}${text === '' ? '' : `?${text}`}`
}

/** The values of `{names}` in a pattern, or undefined when the path is another one. */
export function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.length !== given.length) return undefined
  const values: Record<string, string> = {}
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? ''
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    if (name !== undefined) values[name] = decodeURIComponent(value)
    else if (part !== value) return undefined
  }
  return values
}

export function navigate(path: string, query: Readonly<Record<string, string | undefined>> = {}) {
  location.hash = hrefOf(path, query)
}

/** Changes the query of the page that is open; typing in a search box makes no history. */
export function setQuery(changes: Readonly<Record<string, string | undefined>>): void {
  const { path, query } = parseRoute(location.hash)
  history.replaceState(null, '', hrefOf(path, { ...query, ...changes }))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

let cached: { hash: string; route: Route } | undefined

function current(): Route {
  if (cached?.hash !== location.hash) {
    cached = { hash: location.hash, route: parseRoute(location.hash) }
  }
  return cached.route
}

export function useRoute(): Route {
  return useSyncExternalStore((listener) => {
    addEventListener('hashchange', listener)
    return () => removeEventListener('hashchange', listener)
  }, current)
}
