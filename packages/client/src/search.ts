/** The search object of lists and logs, as the interface writes it. */
export interface Search {
  /** How many results to leave out at the beginning. */
  readonly From?: number
  /** How many to answer with; 0 for as many as the server gives. */
  readonly Count?: number
  /** Field names, `-` before one that descends. */
  readonly Sort?: readonly string[]
  /** Fields to answer with; `*` for all. */
  readonly Include?: readonly string[]
  readonly Exclude?: readonly string[]
  /** By field name, which may end in `<`, `<=`, `>` or `>=`. */
  readonly Filter?: Readonly<Record<string, FilterValue>>
}

type Scalar = string | number | boolean
/** A text matches any part of the field, a list any one of its values exactly. */
type FilterValue = Scalar | readonly Scalar[] | null
