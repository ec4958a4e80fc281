/** What every part of the proof is: a claim, a run that tries to break it, and what came out. */

export interface Part {
  /** In commands and file names: `npm run prove -- --only fuzz`. */
  readonly name: string
  readonly title: string
  /** What it tries to break and how, in some sentences, for the report. */
  readonly claim: string
  /** At full size it is not run without a PostgreSQL server. */
  readonly needsPostgres?: true
  run(options: Options): Promise<Result>
}

export interface Options {
  /** The same seed makes the same run, as far as the machine lets it. */
  readonly seed: number
  /** A sample takes about a minute and is part of `npm test`. */
  readonly size: Size
  /** Empty, and deleted afterwards. */
  readonly folder: string
  log(text: string): void
}

export type Size = 'full' | 'sample'

export interface Result {
  readonly figures: readonly Figure[]
  /** Each says what is wrong and how to repeat it. Without any, the claim held. */
  readonly violations: readonly string[]
  readonly charts?: readonly Chart[]
}

export interface Figure {
  readonly name: string
  readonly value: string
}

export interface Chart {
  /** Of the file in docs/images. */
  readonly name: string
  readonly title: string
  readonly unit: string
  /** Minutes since the start, and the value then. */
  readonly points: readonly (readonly [minutes: number, value: number])[]
}

/** What a part came to, as it is kept beside the report. */
export interface Kept extends Result {
  readonly seed: number
  readonly size: Size
  readonly commit: string
  readonly date: string
  readonly minutes: number
}
