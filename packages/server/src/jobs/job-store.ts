import type { Tx } from '../storage/database.ts'
import { raw, sql } from '../storage/sql.ts'

export interface JobResult {
  readonly name: string
  readonly startedAt: Date | undefined
  readonly finishedAt: Date | undefined
  readonly outcome: string | undefined
  readonly summary: string | undefined
  readonly runs: number
  readonly failures: number
}

interface JobRow {
  name: string
  started_at: number | null
  finished_at: number | null
  outcome: string | null
  summary: string | null
  runs: number
  failures: number
}

/** Who runs which job, and what came of the last run. */
export class JobStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** True when the lease was free and is now this owner's. */
  async take(name: string, owner: string, now: Date, until: Date): Promise<boolean> {
    const changed = await this.#tx.run(
      sql`INSERT INTO job (name, owner, leased_until, started_at, runs, failures)
          VALUES (${name}, ${owner}, ${until}, ${now}, 0, 0)
          ON CONFLICT (name) DO UPDATE
          SET owner = excluded.owner, leased_until = excluded.leased_until, started_at = excluded.started_at
          WHERE job.owner IS NULL OR job.leased_until <= ${now}`,
    )
    return changed === 1
  }

  async finish(
    name: string,
    now: Date,
    { ok, summary }: { readonly ok: boolean; readonly summary: string },
  ): Promise<void> {
    await this.#tx.run(
      sql`UPDATE job SET owner = NULL, leased_until = 0, finished_at = ${now},
            outcome = ${ok ? 'ok' : 'failed'}, summary = ${summary},
            runs = runs + 1, failures = failures + ${ok ? 0 : 1}
          WHERE name = ${name}`,
    )
  }

  /** The owner of an embedded store is alone: what is still leased was left by a crash. */
  async releaseAll(): Promise<void> {
    await this.#tx.run(raw('UPDATE job SET owner = NULL, leased_until = 0'))
  }

  async list(): Promise<JobResult[]> {
    const rows = await this.#tx.all<JobRow>(
      raw(
        'SELECT name, started_at, finished_at, outcome, summary, runs, failures FROM job ORDER BY name',
      ),
    )
    return rows.map((row) => ({
      name: row.name,
      startedAt: row.started_at === null ? undefined : new Date(row.started_at),
      finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
      outcome: row.outcome ?? undefined,
      summary: row.summary ?? undefined,
      runs: row.runs,
      failures: row.failures,
    }))
  }
}
