/** Checks an export of the audit trail: JSON lines, each with the hash of its own content and of the line before it. */
import { createHash } from 'node:crypto'

export interface Link {
  readonly number: number
  readonly hash: string
}

export interface Checked {
  readonly checked: number
  readonly last: Link | undefined
  readonly problem: string | undefined
}

/**
 * The hash is the last member, and what it is of is the line without it. With `s`, since U+2028 and U+2029 in a value end
 * a line for a regular expression.
 */
const LINE = /^(\{"number":(\d{1,16}),"previous":"([0-9a-f]{64})",.*),"hash":"([0-9a-f]{64})"\}$/s

/**
 * Lines end with a line feed and nothing else. node:readline also ends them at U+2028 and U+2029, which JSON does not
 * escape, and callers send them in the parameters of a path. A carriage return at the end of a line is from a copy of
 * the file: in JSON it is escaped.
 */
export async function* linesOf(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const [first = '', ...others] = chunk.split('\n')
    const last = others.pop()
    rest += first
    if (last === undefined) continue
    yield withoutReturn(rest)
    for (const line of others) yield withoutReturn(line)
    rest = last
  }
  if (rest !== '') yield withoutReturn(rest)
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line
}

/** What comes before the first line of the file cannot be judged; `known` is a link that somebody has kept. */
export async function checkLines(lines: AsyncIterable<string>, known?: Link): Promise<Checked> {
  let last: Link | undefined
  let checked = 0
  let isKnownSeen = known === undefined
  const stop = (problem: string): Checked => ({ checked, last, problem })
  for await (const line of lines) {
    if (line === '') continue
    const [, content, number, previous, hash] = LINE.exec(line) ?? []
    if (content === undefined || previous === undefined || hash === undefined) {
      return stop(`Line ${checked + 1} is not an entry of an audit trail.`)
    }
    const own: Link = { number: Number(number), hash }
    if (last !== undefined && own.number !== last.number + 1) {
      return stop(`Entry ${last.number + 1} is missing.`)
    }
    const sum = createHash('sha256').update(`${content}}`).digest('hex')
    const isBroken = sum !== hash || (last !== undefined && previous !== last.hash)
    const isOther = own.number === known?.number && hash !== known.hash
    if (isBroken || isOther) return stop(`Entry ${own.number} was changed.`)
    isKnownSeen ||= own.number === known?.number
    last = own
    checked += 1
  }
  if (!isKnownSeen) return stop(`Entry ${known?.number} is missing.`)
  // Of an export that failed an empty file may be all that is left.
  if (checked === 0) return stop('The file has no entry.')
  return { checked, last, problem: undefined }
}
