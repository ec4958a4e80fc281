/** What the composition knows of other processes beside its own (docs/adr/0160). */

export interface Rules {
  /** No fault is armed and the clock is the machine's; otherwise the lead answers everything. */
  readonly isPlain: boolean
  /** Somebody follows the events, and is to be told of each at once. */
  readonly isWatched: boolean
}

/** What a lead asks of its fronts. */
export interface Crew {
  /** Keys that were verified are of no use any more. */
  forgetKeys(): void
  /** Fulfilled when all of them go by these rules, and have done what they were told before. */
  settled(rules: Rules): Promise<void>
  /** Fulfilled when they have told what they have answered so far, or when a moment has passed. */
  gathered(): Promise<void>
  /** What each has told of itself so far. */
  readonly members: readonly CrewMember[]
}

export interface CrewMember {
  readonly pid: number | undefined
  /** Resident. */
  readonly memoryBytes: number
  /** Requests that it has answered by itself. */
  readonly answered: number
}
