/** Answers on standard output: a table for people, JSON, YAML or CSV for programs, one field for scripts. */
import { EXIT, Failure } from './failure.ts'
import { formatOf, type OutputOptions } from './output-options.ts'
import { rowsOf, type View } from './rows.ts'
import { formatRecord, formatTable } from './table.ts'

/** What a command knows of its answer, so that it can be shown better. */
export interface Shown {
  readonly view?: View | undefined
  /** In words or as a picture, where nobody asked for a form; undefined when it cannot be shown so. */
  readonly people?: ((data: unknown, isUtc: boolean) => string | undefined) | undefined
  /** The list to be shown of it as rows. */
  readonly list?: ((data: unknown) => readonly unknown[] | undefined) | undefined
}

export async function print(
  data: unknown,
  options: OutputOptions,
  shown: Shown = {},
): Promise<void> {
  process.stdout.write(await textOf(data, options, shown))
}

async function textOf(data: unknown, options: OutputOptions, shown: Shown): Promise<string> {
  const { query, columns, utc: isUtc = false } = options
  if (query !== undefined) return `${fieldText(data, query)}\n`
  const format = formatOf(options)
  const asked = columns?.split(',').map((name) => name.trim())
  const inner = unwrapped(data)
  const list = shown.list?.(data) ?? listIn(inner)
  if (format === 'json' || format === 'yaml') {
    return formatData(asked === undefined ? data : chosen(list ?? [inner], asked, shown), format)
  }
  if (format === 'csv') {
    const { formatCsv } = await import('./csv.ts')
    return formatCsv(rowsOf(list ?? [inner], shown.view, asked))
  }
  const words = format === undefined && !asked ? shown.people?.(data, isUtc) : undefined
  if (words !== undefined) return words
  if (typeof data === 'string') return data
  const color = usesColor(process.stdout)
  if (list === undefined && asked === undefined) return formatRecord(inner, { color, isUtc })
  const width = process.stdout.isTTY ? process.stdout.columns : undefined
  const rows = rowsOf(list ?? [inner], shown.view, asked)
  return `${formatTable(rows, { color, isUtc, width }, asked !== undefined)}${restText(data, list)}`
}

export async function formatData(data: unknown, format: 'json' | 'yaml'): Promise<string> {
  if (format === 'json') return `${JSON.stringify(data, null, 2)}\n`
  const { stringify } = await import('yaml')
  return stringify(data)
}

function chosen(list: readonly unknown[], asked: readonly string[], { view }: Shown): object[] {
  const { columns, cells } = rowsOf(list, view, asked)
  return cells.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
}

function restText(data: unknown, list: readonly unknown[] = []): string {
  const { Total } = Object(data)
  return typeof Total === 'number' && Total > list.length
    ? `${list.length} of ${Total}: --count, --from or --all for more.\n`
    : ''
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
  'meta',
]

function unwrapped(data: unknown): unknown {
  if (typeof data !== 'object' || Array.isArray(data)) return data
  const entries = Object.entries(Object(data)).filter(([key]) => !ENVELOPE.includes(key))
  return entries.length === 1 ? entries[0]?.[1] : Object.fromEntries(entries)
}

/** `ID`, `sim_id`, `messageId`. */
const ID_NAME = /(^|_)id$|I[dD]$/

/** The list that an answer is, beside plain members such as where the next page begins, which is null on the last one. */
export function listIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  const members = Object.entries(Object(value))
  // What has an id is one record, and a list in it is a part of that: the CORS rules of a site.
  if (members.some(([name]) => ID_NAME.test(name))) return undefined
  const lists = members.map(([, one]) => one).filter(Array.isArray)
  const isBare = members.every(
    ([, one]) => one === null || typeof one !== 'object' || Array.isArray(one),
  )
  return lists.length === 1 && isBare && typeof lists[0]?.[0] === 'object' ? lists[0] : undefined
}

/** https://no-color.org, and no colour where nobody looks. */
export function usesColor(stream: { readonly isTTY?: boolean }): boolean {
  return stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb'
}
