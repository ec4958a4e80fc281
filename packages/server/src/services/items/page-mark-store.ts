/**
 * Rows far into long lists by their positions, as far as this process has shown them. A mark counts only for the
 * version of the list that it was made in, so a list that has changed has none (docs/adr/0018-far-pages.md).
 */
export interface Mark {
  /** How many rows of the list there are before this one. */
  readonly at: number
  readonly id: string
  readonly name: string
}

interface Marked {
  readonly version: string
  readonly marks: Mark[]
}

/** Enough for those who page through lists at the same time; the oldest go first. */
export const MOST_LISTS = 100
export const MOST_MARKS = 100

export class PageMarkStore {
  readonly #lists = new Map<string, Marked>()

  /** The last one up to a position. */
  find(list: string, version: string, from: number): Mark | undefined {
    const known = this.#lists.get(list)
    if (known?.version !== version) return undefined
    let nearest: Mark | undefined
    for (const mark of known.marks) {
      if (mark.at <= from && mark.at > (nearest?.at ?? 0)) nearest = mark
    }
    return nearest
  }

  note(list: string, version: string, mark: Mark): void {
    const known = this.#lists.get(list)
    const others = known?.version === version ? known.marks.filter(({ at }) => at !== mark.at) : []
    this.#lists.delete(list)
    this.#lists.set(list, { version, marks: [...others, mark].slice(-MOST_MARKS) })
    const [oldest] = this.#lists.keys()
    if (this.#lists.size > MOST_LISTS && oldest !== undefined) this.#lists.delete(oldest)
  }
}
