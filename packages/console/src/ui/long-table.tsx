/**
 * A table of any length. Only the rows in view are in the document; the space of the others is kept above
 * and below, so that the scroll bar is that of the whole list.
 */
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PagedRows } from '../data/paged-rows.ts'
import { ErrorBox } from './error-box.tsx'
import { Skeleton } from './skeleton.tsx'
import { type Column, Heading } from './table.tsx'
import { uiText } from './texts.ts'

const ROW_PX = 44
/** Rows that are drawn beyond the edges, so that a slow scroll shows no gap. */
const MARGIN = 8

export interface LongTableProps<T> {
  readonly caption: string
  /** To be kept from one drawing to the next. */
  readonly columns: readonly Column<T>[]
  readonly rows: PagedRows<T>
  readonly sort?: string
  readonly onSort?: (sort: string) => void
  readonly empty?: ComponentChildren
}

export function LongTable<T>(props: LongTableProps<T>) {
  const { caption, columns, rows, sort, onSort, empty } = props
  const { total, error } = rows
  const frame = useRef<HTMLElement>(null)
  const [first, last] = useView(frame, total ?? 0)
  useEffect(() => {
    if (total !== undefined && total > 0) rows.look(first, last)
  }, [first, last, total])
  const shown = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  return (
    <>
      {error !== undefined && <ErrorBox error={error} onRetry={rows.reload} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must take the focus. */}
      <section class="table-frame long" aria-label={caption} tabIndex={0} ref={frame}>
        <table aria-rowcount={total === undefined ? -1 : total + 1} aria-busy={total === undefined}>
          <caption class="unseen">{caption}</caption>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <Heading key={column.key} column={column} sort={sort} onSort={onSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            <Space px={first * ROW_PX} />
            {shown.map((index) => (
              <Row key={index} index={index} row={rows.rowAt(index)} columns={columns} />
            ))}
            <Space px={((total ?? 0) - last - 1) * ROW_PX} />
          </tbody>
        </table>
        {total === 0 && <div class="table-empty">{empty ?? uiText('nothing')}</div>}
        {total === undefined && error === undefined && <Skeleton lines={8} />}
      </section>
    </>
  )
}

function Row<T>(props: { index: number; row: T | undefined; columns: readonly Column<T>[] }) {
  const { index, row, columns } = props
  // The same again is not drawn again: a scroll then costs only the rows that come into view.
  return useMemo(
    () => (
      <tr aria-rowindex={index + 2}>
        {columns.map(({ key, cell, align = '', isMinor }) => (
          <td key={key} class={isMinor ? `${align} minor` : align}>
            {row === undefined ? '…' : cell(row)}
          </td>
        ))}
      </tr>
    ),
    [index, row, columns],
  )
}

/** By the object model, since the policy refuses styles in attributes. */
function Space({ px }: { px: number }) {
  const row = useRef<HTMLTableRowElement>(null)
  // Before it is painted: a space of the wrong height for one frame would move the view.
  useLayoutEffect(() => {
    if (row.current !== null) row.current.style.height = `${px}px`
  }, [px])
  if (px <= 0) return null
  return <tr class="space" ref={row} />
}

/** The first and the last row in view. */
function useView(frame: { current: HTMLElement | null }, total: number): [number, number] {
  const [at, setAt] = useState({ top: 0, height: 800 })
  useEffect(() => {
    const target = frame.current
    if (target === null) return
    let waiting = 0
    const measure = () => {
      waiting = 0
      setAt({ top: target.scrollTop, height: target.clientHeight })
    }
    // Once a frame at most, however many events there are.
    const soon = () => {
      if (waiting === 0) waiting = requestAnimationFrame(measure)
    }
    measure()
    target.addEventListener('scroll', soon, { passive: true })
    const resized = new ResizeObserver(soon)
    resized.observe(target)
    return () => {
      cancelAnimationFrame(waiting)
      target.removeEventListener('scroll', soon)
      resized.disconnect()
    }
  }, [])
  // In steps of rows, so that most events of a slow scroll draw nothing.
  const first = Math.max(0, Math.floor(at.top / ROW_PX) - MARGIN)
  const last = Math.min(total - 1, Math.ceil((at.top + at.height) / ROW_PX) + MARGIN)
  return [Math.min(first, Math.max(0, total - 1)), last]
}
