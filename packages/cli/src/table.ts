/** Values as lines for people. What comes from a server is shown, never obeyed: no control characters. */
import { flatten, type Rows } from './rows.ts'
import { timeText } from './times.ts'

export interface TextOptions {
  readonly color: boolean
  readonly isUtc: boolean
}

export interface TableOptions extends TextOptions {
  /** Of the terminal; undefined for no limit. */
  readonly width: number | undefined
}

const CELL_MAX = 40
/** Where the width is not known. */
const COLUMNS_MAX = 8
const GAP = 2

/** `isChosen`: the user named these columns, so that none is left out. */
export function formatTable(
  { columns, cells: texts }: Rows,
  { color, isUtc, width }: TableOptions,
  isChosen = false,
): string {
  if (texts.length === 0) return 'None.\n'
  const cells = texts.map((row) => row.map((text) => cut(clean(timeText(text, isUtc)))))
  const widths = columns.map((column, index) =>
    Math.max(widthOf(column), ...cells.map((row) => widthOf(row[index] ?? ''))),
  )
  const shown = isChosen
    ? columns.length
    : width === undefined
      ? Math.min(COLUMNS_MAX, columns.length)
      : fitting(widths, width)
  const line = (row: readonly string[]) =>
    row
      .slice(0, shown)
      .map((text, index) => pad(text, index === shown - 1 ? 0 : (widths[index] ?? 0) + GAP))
      .join('')
      .trimEnd()
  const head = line(columns)
  return [color ? `\u001b[1m${head}\u001b[22m` : head, ...cells.map(line), ''].join('\n')
}

/** One line per member, nested ones by their path. */
export function formatRecord(value: unknown, { color, isUtc }: TextOptions): string {
  const entries = flatten(value)
  if (entries.length === 0) return 'Done.\n'
  const width = Math.max(...entries.map(([key]) => widthOf(key))) + GAP
  return entries
    .map(([key, text]) => {
      const name = pad(clean(key), width)
      const shown = clean(timeText(text, isUtc))
      return `${color ? `\u001b[1m${name}\u001b[22m` : name}${shown}\n`
    })
    .join('')
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
