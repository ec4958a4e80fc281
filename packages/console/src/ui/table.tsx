/** A table of things, with headings that sort when told how. */
import type { ComponentChildren } from 'preact'
import { uiText } from './texts.ts'

export interface Column<T> {
  readonly key: string
  readonly title: string
  cell(row: T): ComponentChildren
  /** The name of the field to sort by; a heading without one does not sort. */
  readonly sort?: string
  readonly align?: 'end'
  /** How much room its column has in a long table; those without one share what is left. */
  readonly width?: 'xs' | 's' | 'm' | 'l' | 'xl'
  /** In a long table on a telephone, only those that matter most are seen. */
  readonly isMinor?: true
}

export interface TableProps<T> {
  /** What the table lists, for those who do not see it. */
  readonly caption: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  keyOf(row: T): string
  /** A field name, with `-` before it when it descends, as the interface writes it. */
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly empty?: ComponentChildren
  /** For lists that only grow: scrolls by itself, and its rows stay on one line. */
  readonly isTall?: boolean
}

export function Table<T>(props: TableProps<T>) {
  const { caption, columns, rows, keyOf, sort, onSort, empty, isTall } = props
  const frame = isTall ? 'table-frame rows tall' : 'table-frame rows'
  return (
    // Reachable by keyboard, since it may have to be scrolled sideways.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus.
    <section class={frame} aria-label={caption} tabIndex={0}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <Cell key={column.key} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <div class="table-empty">{empty ?? uiText('nothing')}</div>}
    </section>
  )
}

/** On a telephone a row is a card: its cells say what they are, and those without a value are left out. */
function Cell<T>({ column, row }: { column: Column<T>; row: T }) {
  const { title, cell, align = '' } = column
  const content = cell(row)
  const isBlank = content === '–' || content === ''
  return (
    <td class={isBlank ? `${align} blank` : align} data-title={title}>
      {content}
    </td>
  )
}

interface HeadingProps<T> {
  readonly column: Column<T>
  readonly sort: string | undefined
  readonly onSort: ((sort: string) => void) | undefined
}

export function Heading<T>({ column, sort, onSort }: HeadingProps<T>) {
  const { sort: field, title, align = '', width, isMinor } = column
  const look = `${align} ${width === undefined ? '' : `w-${width}`} ${isMinor ? 'minor' : ''}`
  if (field === undefined || onSort === undefined) {
    return (
      <th scope="col" class={look}>
        {title}
      </th>
    )
  }
  const direction = sort === field ? 'ascending' : sort === `-${field}` ? 'descending' : undefined
  return (
    <th scope="col" class={look} aria-sort={direction}>
      <button
        type="button"
        class="sort"
        onClick={() => onSort(direction === 'ascending' ? `-${field}` : field)}
      >
        {title}
        <span class="sort-mark" aria-hidden="true">
          {direction === 'ascending' ? '▲' : direction === 'descending' ? '▼' : '↕'}
        </span>
      </button>
    </th>
  )
}
