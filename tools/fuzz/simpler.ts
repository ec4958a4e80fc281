/** One call with something less in it: no query, one header less, a body without one of its members. */
import type { Call } from './call.ts'

type Path = readonly string[]

export function* simplerCalls(call: Call): Generator<Call> {
  if (call.query !== '') yield { ...call, query: '' }
  for (const name of Object.keys(call.headers)) {
    if (name === 'authorization') continue
    const { [name]: _left, ...headers } = call.headers
    yield { ...call, headers }
  }
  if (call.body === undefined) return
  const { body: _body, ...bare } = call
  yield { ...bare, body: undefined }
  const body = parse(call.body)
  for (const path of pathsOf(body)) {
    yield { ...call, body: JSON.stringify(changed(body, path, () => undefined)) }
    yield* shorterTexts(call, body, path)
  }
}

function* shorterTexts(call: Call, body: unknown, path: Path): Generator<Call> {
  const text = path.reduce<unknown>((inner, key) => Object(inner)[key], body)
  if (typeof text !== 'string' || text.length < 2) return
  for (const length of [1, Math.floor(text.length / 2), text.length - 1]) {
    if (length === text.length) continue
    yield { ...call, body: JSON.stringify(changed(body, path, () => text.slice(0, length))) }
  }
}

/** Of every member, the outer ones first. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || path.length > 8) return []
  const own = Object.keys(value).map((key) => [...path, key])
  return [...own, ...Object.entries(value).flatMap(([key, one]) => pathsOf(one, [...path, key]))]
}

/** A copy; what becomes undefined is left out. */
function changed(value: unknown, [key, ...rest]: Path, change: () => unknown): unknown {
  if (key === undefined) return change()
  const inner = changed(Object(value)[key], rest, change)
  if (Array.isArray(value)) {
    return inner === undefined ? value.toSpliced(Number(key), 1) : value.with(Number(key), inner)
  }
  return { ...Object(value), [key]: inner }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
