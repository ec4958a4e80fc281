/** What is wrong with a value, and where in it. */
export type Path = readonly (string | number)[]

export interface Failure {
  readonly path: Path
  readonly keyword: string
  /** What the keyword asks for. */
  readonly wanted: unknown
  /** What each alternative of a union says. */
  readonly alternatives: readonly Failure[]
}

export function fail(keyword: string, wanted: unknown, path: Path = []): Failure {
  return { path, keyword, wanted, alternatives: [] }
}

/** The same failure, seen from one step further out. */
export function within(step: string | number, failure: Failure): Failure {
  const { path, alternatives } = failure
  return {
    ...failure,
    path: [step, ...path],
    alternatives: alternatives.map((alternative) => within(step, alternative)),
  }
}
