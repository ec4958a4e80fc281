/**
 * A job is a reconciler: it takes no arguments, looks at what is there, does what is due and may be
 * run again at any time. `run` opens its own transactions, so that one that does a lot can do it in
 * bounded steps.
 */

export interface Job<Store> {
  readonly name: string
  /** Runs at least this often. A job that knows its next time leaves it out. */
  readonly everySeconds?: number
  /** When there will next be something to do; undefined when nothing is pending. */
  readonly nextDue?: (store: Store) => Promise<Date | undefined>
  /**
   * What comes never makes it due earlier than it knows: waking it counts only while it sleeps, and may
   * be done as often as something comes.
   */
  readonly steady?: true
  /** Answers with one line for people: what was done. */
  readonly run: (store: Store, now: Date) => Promise<string>
}

/** Tells a job that there may be something to do. Carries nothing: the job looks for itself. */
export type Wake = (job: string) => void
