/**
 * Leases keep a job to one run at a time across processes. Each lease has a number of its own, which the next one
 * raises: a run that lasted longer than its lease can neither renew nor finish what another process runs by then.
 */
import type { Tx } from '../storage/database.ts'
import { raw, sql } from '../storage/sql.ts'

/** The right to run a job until it expires. */
export interface Lease {
  readonly job: string
  readonly owner: string
  /** Given out once: of two runs of the same owner, only one has it. */
  readonly number: number
}

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

/** Who runs which job, and the result of the last run. */
export class LeaseStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Undefined while another run has it. */
  async take(job: string, owner: string, now: Date, expiresAt: Date): Promise<Lease | undefined> {
    // Nobody takes a lease for so long: it was taken while the clock was ahead, and has to be renewed to be held.
    const tooLong = new Date(2 * expiresAt.getTime() - now.getTime())
    const taken = await this.#tx.first<{ lease: number }>(
      sql`INSERT INTO job (name, owner, lease, leased_until, started_at, runs, failures)
          VALUES (${job}, ${owner}, 1, ${expiresAt}, ${now}, 0, 0)
          ON CONFLICT (name) DO UPDATE
          SET owner = excluded.owner, lease = job.lease + 1,
              leased_until = excluded.leased_until, started_at = excluded.started_at
          WHERE job.owner IS NULL OR job.leased_until <= ${now} OR job.leased_until > ${tooLong}
          RETURNING lease`,
    )
    return taken && { job, owner, number: taken.lease }
  }

  /** False when the lease is another run's by now. */
  async renew({ job, owner, number }: Lease, expiresAt: Date): Promise<boolean> {
    const renewed = await this.#tx.run(
      sql`UPDATE job SET leased_until = ${expiresAt}
          WHERE name = ${job} AND owner = ${owner} AND lease = ${number}`,
    )
    return renewed === 1
  }

  /** Ends the lease and keeps the result. False when the lease is another run's by now; nothing changes then. */
  async finish(
    { job, owner, number }: Lease,
    now: Date,
    { ok, summary }: { readonly ok: boolean; readonly summary: string },
  ): Promise<boolean> {
    const finished = await this.#tx.run(
      sql`UPDATE job SET owner = NULL, leased_until = 0, finished_at = ${now},
            outcome = ${ok ? 'ok' : 'failed'}, summary = ${summary},
            runs = runs + 1, failures = failures + ${ok ? 0 : 1}
          WHERE name = ${job} AND owner = ${owner} AND lease = ${number}`,
    )
    return finished === 1
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
