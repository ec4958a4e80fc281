/**
 * A job is a reconciler: it takes no arguments, reads what is there, does what is due and may be
 * run again at any time. `run` opens its own transactions, so that one that does a lot can do it in
 * bounded steps.
 */

export interface Job<Store> {
  readonly name: string
  /** Runs at least this often. A job that knows its next time leaves it out. */
  readonly everySeconds?: number
  /** When there will next be something to do; undefined when nothing is pending. */
  readonly nextDue?: (store: Store, now: Date) => Promise<Date | undefined>
  /**
   * New rows never make it due earlier than it knows: waking it has an effect only while no run is planned, so it
   * may be done with every row.
   */
  readonly steady?: true
  /** However early it is due again, the next run begins so long after the last one, on a clock that runs. */
  readonly restSeconds?: number
  /**
   * Returns one sentence for people: what was done. A job that may take long ends early when the signal is
   * aborted: its lease was lost, or the server stops.
   */
  readonly run: (store: Store, now: Date, signal?: AbortSignal) => Promise<string>
}

/** Wakes a job, since there may be something to do. Carries nothing: the job reads what there is. */
export type Wake = (job: string) => void
