/**
 * A long list, of which only the pages in view are asked for. What scrolls by quickly is not asked for at
 * all, and a question whose rows have left the view is given up.
 */
import { useEffect, useReducer, useRef } from 'preact/hooks'

export const PAGE = 100
/** How long the view has to rest before it is asked for. */
const REST_MS = 80

export interface Part<T> {
  readonly total: number
  readonly rows: readonly T[]
}

export interface PagedRows<T> {
  /** Undefined until the first answer. */
  readonly total: number | undefined
  readonly error: unknown
  rowAt(index: number): T | undefined
  /** Says which rows are in view. */
  look(first: number, last: number): void
  reload(): void
}

type Load<T> = (from: number, count: number, signal: AbortSignal) => Promise<Part<T>>

class Pages<T> {
  readonly load: Load<T>
  readonly changed: () => void
  total: number | undefined
  error: unknown
  readonly #rows = new Map<number, readonly T[]>()
  readonly #asked = new Map<number, AbortController>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(load: Load<T>, changed: () => void) {
    this.load = load
    this.changed = changed
  }

  rowAt(index: number): T | undefined {
    return this.#rows.get(Math.floor(index / PAGE))?.[index % PAGE]
  }

  look(first: number, last: number): void {
    clearTimeout(this.#timer)
    const from = Math.floor(first / PAGE)
    const to = Math.floor(last / PAGE)
    for (const [page, asking] of this.#asked) if (page < from || page > to) asking.abort()
    const wanted = Array.from({ length: to - from + 1 }, (_, at) => from + at).filter(
      (page) => !this.#rows.has(page) && !this.#asked.has(page),
    )
    if (wanted.length === 0) return
    const ask = () => void wanted.map((page) => this.#ask(page))
    if (this.total === undefined) ask()
    else this.#timer = setTimeout(ask, REST_MS)
  }

  end(): void {
    clearTimeout(this.#timer)
    for (const asking of this.#asked.values()) asking.abort()
  }

  async #ask(page: number): Promise<void> {
    const asking = new AbortController()
    this.#asked.set(page, asking)
    try {
      const { total, rows } = await this.load(page * PAGE, PAGE, asking.signal)
      if (asking.signal.aborted) return
      this.total = total
      this.error = undefined
      this.#rows.set(page, rows)
      this.changed()
    } catch (error) {
      if (asking.signal.aborted) return
      this.error = error
      this.changed()
    } finally {
      this.#asked.delete(page)
    }
  }
}

/** Begins anew when `inputs` change. */
export function usePagedRows<T>(load: Load<T>, inputs: readonly unknown[]): PagedRows<T> {
  const [round, reload] = useReducer((count: number) => count + 1, 0)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const key = JSON.stringify([...inputs, round])
  const held = useRef<{ key: string; pages: Pages<T> }>(undefined)
  if (held.current?.key !== key) {
    held.current?.pages.end()
    held.current = { key, pages: new Pages(load, () => redraw(undefined)) }
  }
  const { pages } = held.current
  useEffect(() => pages.look(0, PAGE - 1), [pages])
  useEffect(() => () => held.current?.pages.end(), [])
  return {
    total: pages.total,
    error: pages.error,
    rowAt: (index) => pages.rowAt(index),
    look: (first, last) => pages.look(first, last),
    reload: () => reload(undefined),
  }
}
