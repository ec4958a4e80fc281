import type { Sql } from '../sql.ts'

const texts = new WeakMap<readonly string[], string>()

/** With numbered places for the values. Fixed queries (sql.ts) are put together once. */
export function textOf({ chunks, isFixed }: Sql): string {
  const known = isFixed ? texts.get(chunks) : undefined
  if (known !== undefined) return known
  const text = chunks.reduce((all, chunk, index) => `${all}$${index}${chunk}`)
  if (isFixed) texts.set(chunks, text)
  return text
}
