/** Values as lines for people. What comes from a server is shown, never obeyed: no control characters. */

export interface TableOptions {
  readonly color: boolean
  /** Of the terminal; undefined for no limit. */
  readonly width: number | undefined
}

/** First where they occur, since they say what a row is. */
const FIRST = ['ID', 'id', 'Name', 'name', 'code', 'serial', 'iccid']
/** The same in every row, or too long for one; `--json` has them. */
const LEFT_OUT =
  /^(Index|Description|Class|Settings.*|Provider\.(ID|Name|ServiceClass)|ServiceClass|ModifiedAt|ASCIIDomain)$/
const CELL_MAX = 40
/** Where the width is not known. */
const COLUMNS_MAX = 8
const GAP = 2

export function formatTable(rows: readonly unknown[], { color, width }: TableOptions): string {
  if (rows.length === 0) return 'None.\n'
  const flat = rows.map((row) => new Map(flatten(row)))
  const columns = columnsOf(flat)
  const cells = flat.map((row) => columns.map((column) => cut(row.get(column) ?? '')))
  const widths = columns.map((column, index) =>
    Math.max(widthOf(column), ...cells.map((row) => widthOf(row[index] ?? ''))),
  )
  const shown = width === undefined ? Math.min(COLUMNS_MAX, columns.length) : fitting(widths, width)
  const line = (texts: readonly string[]) =>
    texts
      .slice(0, shown)
      .map((text, index) => pad(text, index === shown - 1 ? 0 : (widths[index] ?? 0) + GAP))
      .join('')
      .trimEnd()
  const head = line(columns)
  return [color ? `\u001b[1m${head}\u001b[22m` : head, ...cells.map(line), ''].join('\n')
}

/** One line per member, nested ones by their path. */
export function formatRecord(value: unknown, color: boolean): string {
  const entries = flatten(value)
  if (entries.length === 0) return 'Done.\n'
  const width = Math.max(...entries.map(([key]) => widthOf(key))) + GAP
  return entries
    .map(([key, text]) => {
      const name = pad(key, width)
      return `${color ? `\u001b[1m${name}\u001b[22m` : name}${text}\n`
    })
    .join('')
}

/** Lists of plain values are one cell; what is in a list of objects is shown by its number. */
export function flatten(value: unknown, path = ''): [string, string][] {
  if (value === null || value === undefined) return path === '' ? [] : [[path, '']]
  if (typeof value !== 'object') return [[path || 'value', clean(String(value))]]
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object' || one === null)) {
    return path === '' && value.length === 0 ? [] : [[path || 'value', clean(value.join(', '))]]
  }
  return Object.entries(value).flatMap(([key, inner]) =>
    flatten(inner, path === '' ? key : `${path}.${key}`),
  )
}

/** Those that tell something in some row, the telling ones first. */
function columnsOf(rows: readonly ReadonlyMap<string, string>[]): string[] {
  const all = [...new Set(rows.flatMap((row) => [...row.keys()]))]
  const used = all.filter(
    (key) =>
      !LEFT_OUT.test(key) &&
      key.split('.').length <= 2 &&
      rows.some((row) => (row.get(key) ?? '') !== ''),
  )
  const first = FIRST.filter((key) => used.includes(key))
  return [...first, ...used.filter((key) => !first.includes(key))]
}

function fitting(widths: readonly number[], width: number): number {
  let sum = 0
  const index = widths.findIndex((one) => {
    sum += one + GAP
    return sum - GAP > width
  })
  return index < 0 ? widths.length : Math.max(1, index)
}

function cut(text: string): string {
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX - 1)}…` : text
}

/** A terminal shows what it is told; an answer must not tell it anything but text. */
export function clean(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').replaceAll(/[\u202a-\u202e\u2066-\u2069]/g, '')
}

function pad(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

/** East Asian characters take two columns. */
function widthOf(text: string): number {
  return [...text].reduce(
    (sum, one) =>
      sum +
      (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff00-\uff60]/.test(one) ? 2 : 1),
    0,
  )
}
