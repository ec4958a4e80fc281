import type { Database, Tx } from '../../storage/database.ts'

/** A part of the job: when it next has something to do, and the doing. */
export interface Step {
  nextDue(tx: Tx, now: Date): Promise<Date | undefined>
  /** Answers with a few words for people. */
  run(database: Database, now: Date): Promise<string>
}
