/** Answers on standard output: a table for people, JSON for programs, one field for scripts. */
import { EXIT, Failure } from './failure.ts'
import { formatRecord, formatTable } from './table.ts'

export interface OutputOptions {
  readonly json?: boolean
  readonly query?: string
}

export function print(data: unknown, { json, query }: OutputOptions): void {
  if (query !== undefined) process.stdout.write(`${fieldText(data, query)}\n`)
  else if (json) process.stdout.write(`${JSON.stringify(data, null, 2)}\n`)
  else process.stdout.write(forPeople(data))
}

/** `a.b.0`: a text as it is, anything else as JSON. */
export function fieldText(data: unknown, query: string): string {
  const value = query
    .split('.')
    .reduce<unknown>((inner, step) => (inner === undefined ? inner : Object(inner)[step]), data)
  if (value === undefined) {
    const known = Object.keys(Object(data)).slice(0, 12).join(', ')
    throw new Failure(`The answer has no ${query}.`, EXIT.failed, `It has: ${known}.`)
  }
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Members that are the same in every answer and tell nobody anything. */
const ENVELOPE = [
  'is_ok',
  'Success',
  'ReturnCode',
  'ResponseHeaders',
  'Out',
  'From',
  'Count',
  'Total',
]

function forPeople(data: unknown): string {
  if (typeof data === 'string') return data
  const entries = Object.entries(Object(data)).filter(([key]) => !ENVELOPE.includes(key))
  const [only] = entries
  if (only === undefined) return 'Done.\n'
  const value = entries.length === 1 ? only[1] : Object.fromEntries(entries)
  const list = listIn(value)
  const color = usesColor(process.stdout)
  if (list === undefined) return formatRecord(value, color)
  const { Total } = Object(data)
  const rest =
    typeof Total === 'number' && Total > list.length
      ? `${list.length} of ${Total}: --count, --from or --all for more.\n`
      : ''
  const width = process.stdout.isTTY ? process.stdout.columns : undefined
  return `${formatTable(list, { color, width })}${rest}`
}

function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  const lists = Object.values(Object(value)).filter(Array.isArray)
  const isBare = Object.values(Object(value)).every(
    (one) => typeof one !== 'object' || Array.isArray(one),
  )
  return lists.length === 1 && isBare && typeof lists[0]?.[0] === 'object' ? lists[0] : undefined
}

/** https://no-color.org, and no colour where nobody looks. */
export function usesColor(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
}
