/** Lists as sequences: asks for the next page while there is one. */
import { operations } from './generated/operations.ts'
import type { AnyInput, EachOptions, ListName } from './types.ts'

const PAGE_SIZE = 100

export type Ask = (name: ListName, input: AnyInput, options: EachOptions) => Promise<unknown>

/**
 * What is added or removed while it runs may shift the pages, as with every list that is counted; the
 * filter `{ 'ID>': last }` does not have that.
 */
export async function* pages(
  ask: Ask,
  name: ListName,
  input: AnyInput,
  { pageSize = PAGE_SIZE, ...options }: EachOptions,
): AsyncGenerator<unknown, void> {
  const { list, paging }: { list: string; paging?: 'search' | 'query' } = operations[name]
  const given = paging === undefined ? {} : input[paging]
  for (let from = Number(Object(given).From ?? 0); ; ) {
    const part = { ...given, From: from, Count: pageSize }
    const data = await ask(
      name,
      paging === undefined ? input : { ...input, [paging]: part },
      options,
    )
    const found = listAt(data, list)
    yield* found
    from += found.length
    if (paging === undefined || found.length === 0 || isLast(data, from, found.length, pageSize)) {
      return
    }
  }
}

/** A list that does not tell its total ends with a page that is not full. */
function isLast(data: unknown, next: number, found: number, pageSize: number): boolean {
  const { Total } = Object(data)
  return typeof Total === 'number' ? next >= Total : found < pageSize
}

function listAt(data: unknown, path: string): readonly unknown[] {
  const value = path.split('.').reduce<unknown>((inner, step) => Object(inner)[step], data)
  return Array.isArray(value) ? value : []
}
