/** An answer as rows of cells: what tables and comma-separated values show of it. */
import { EXIT, Failure } from './failure.ts'

export interface Rows {
  /** The names of the columns. */
  readonly columns: readonly string[]
  readonly cells: readonly (readonly string[])[]
}

/** The columns of a list that people want first, by their titles, each with the path of its value. */
export type View = readonly (readonly [title: string, path: string])[]

/** First where they occur, since they say what a row is. */
const FIRST = ['ID', 'id', 'Name', 'name', 'code', 'serial', 'iccid']
/** The same in every row, or too long for one; JSON has them. */
const LEFT_OUT = new Set([
  ...['Index', 'Description', 'Class', 'ServiceClass', 'ModifiedAt', 'ASCIIDomain'],
  ...['Provider.ID', 'Provider.Name', 'Provider.ServiceClass'],
])

/** `asked` are columns that the user named; without them those of the view, or the telling ones. */
export function rowsOf(
  list: readonly unknown[],
  view: View | undefined,
  asked: readonly string[] | undefined,
): Rows {
  const flat = list.map((row) => new Map(flatten(row)))
  const chosen: View =
    asked === undefined
      ? (view ?? columnsOf(flat).map((path) => [path, path]))
      : asked.map((name) => find(name, flat, view))
  return {
    columns: chosen.map(([title]) => title),
    cells: flat.map((row) => chosen.map(([, path]) => row.get(path) ?? '')),
  }
}

function find(name: string, rows: readonly ReadonlyMap<string, string>[], view: View = []) {
  const isCalled = (text: string) => text.toLowerCase() === name.toLowerCase()
  const known = view.find(([title]) => isCalled(title))
  if (known !== undefined) return known
  const paths = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const path = paths.find(isCalled)
  // Of no rows nothing is known.
  if (path !== undefined || rows.length === 0) return [path ?? name, path ?? name] as const
  const all = [...new Set([...view.map(([title]) => title), ...paths])].join(', ')
  throw new Failure(`There is no column ${name}.`, EXIT.usage, `There are: ${all}.`)
}

/** Those that tell something in some row, the telling ones first. */
function columnsOf(rows: readonly ReadonlyMap<string, string>[]): string[] {
  const all = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const used = all.filter(
    (key) =>
      !LEFT_OUT.has(key) &&
      !key.startsWith('Settings') &&
      key.split('.').length <= 2 &&
      rows.some((row) => (row.get(key) ?? '') !== ''),
  )
  const first = FIRST.filter((key) => used.includes(key))
  return [...first, ...used.filter((key) => !first.includes(key))]
}

/** Lists of plain values are one cell; what is in a list of objects is shown by its number. */
export function flatten(value: unknown, path = ''): [string, string][] {
  if (value === null || value === undefined) return path === '' ? [] : [[path, '']]
  if (typeof value !== 'object') return [[path || 'value', String(value)]]
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) {
    return path === '' && value.length === 0 ? [] : [[path || 'value', value.join(', ')]]
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(inner, path === '' ? key : `${path}.${key}`),
  )
}
