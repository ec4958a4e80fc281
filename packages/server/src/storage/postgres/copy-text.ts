/** The text form of COPY, in pieces of some rows: tabs between values, and what is not plain escaped. */
import type { SqlRow } from '../database.ts'
import type { SqlValue } from '../sql.ts'

const ROWS_AT_ONCE = 1000
const NOT_PLAIN = /[\\\t\n\r]/
const EACH_NOT_PLAIN = /[\\\t\n\r]/g
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': String.raw`\\`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\r': String.raw`\r`,
}

export function* copyText(rows: readonly SqlRow[]): Generator<string> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    yield some.map((row) => `${row.map(copyValue).join('\t')}\n`).join('')
  }
}

function copyValue(value: SqlValue): string {
  if (value === null) return String.raw`\N`
  if (typeof value === 'number') return String(value)
  // Most need nothing, and looking is three times as fast as replacing nothing.
  if (!NOT_PLAIN.test(value)) return value
  return value.replaceAll(EACH_NOT_PLAIN, (character) => ESCAPES[character] ?? character)
}
