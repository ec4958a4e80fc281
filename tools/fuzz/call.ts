/** One request of an operation, and how it is written. */
import { slices } from '../../packages/server/src/contracts.ts'
import { pathOf } from '../../packages/server/src/http/operation.ts'
import type { Operation } from '../../packages/server/src/kernel/contract.ts'

export interface Known {
  readonly name: string
  readonly operation: Operation
  /** With `{name}` for each parameter. */
  readonly path: string
}

export const operations: ReadonlyMap<string, Known> = new Map(
  slices.flatMap(({ family, contract }) =>
    Object.entries(contract).map(([name, operation]) => {
      const path = pathOf(family, operation, '/cloud')
      return [name, { name, operation, path }] as const
    }),
  ),
)

/** What a step of the scenario says; the mutations change it. */
export interface Call {
  readonly name: string
  readonly params: Readonly<Record<string, string>>
  /** As it is in the address, without the question mark. */
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Wire {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export function toWire({ name, params, query, headers, body }: Call): Wire {
  const known = operations.get(name)
  if (known === undefined) throw new Error(`There is no operation ${name}.`)
  const path = known.path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) =>
    encode(params[parameter] ?? 'is1a'),
  )
  const address = query === '' ? path : `${path}?${query}`
  return { method: known.operation.method, path: address, headers, body }
}

/** A lone surrogate has no percent escape: what stands for it is not UTF-8. */
function encode(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ed%a0%80'
}

/** To repeat a finding by hand. */
export function toCurl(origin: string, { method, path, headers, body }: Wire): string {
  const given = Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`--data-binary ${quote(body)}`]
  return ['curl -k -g -X', method, ...given, ...data, quote(`${origin}${path}`)].join(' ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
