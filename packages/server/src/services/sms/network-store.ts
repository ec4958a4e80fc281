import { deleteOlder } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { PlannedReport } from './network-rules.ts'
import type { Outcome } from './rules.ts'

/** What the embedded network has taken over, and what it will report when. */
export class NetworkStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** A message that was taken over before is left as it is. */
  async insert(
    reference: string,
    report: PlannedReport | undefined,
    reported: boolean,
    now: Date,
  ): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO sms_network_message (reference, status, due_at, reported, taken_at)
          VALUES (${reference}, ${report?.outcome ?? null}, ${report?.at ?? null}, ${reported},
                  ${now})
          ON CONFLICT (reference) DO NOTHING`,
    )
  }

  /** Each report is given once. */
  async takeDue(
    now: Date,
    most: number,
  ): Promise<({ readonly reference: string } & PlannedReport)[]> {
    const rows = await this.#tx.all<{ reference: string; status: Outcome; due_at: number }>(
      sql`UPDATE sms_network_message SET reported = 1
          WHERE reference IN (SELECT reference FROM sms_network_message
                              WHERE reported = 0 AND due_at <= ${now}
                              ORDER BY due_at, reference LIMIT ${most})
          RETURNING reference, status, due_at`,
    )
    return rows.map(({ reference, status, due_at }) => ({
      reference,
      outcome: status,
      at: new Date(due_at),
    }))
  }

  async nextDue(): Promise<Date | undefined> {
    const row = await this.#tx.first<{ due: number | null }>(
      raw('SELECT min(due_at) AS due FROM sms_network_message WHERE reported = 0'),
    )
    return row?.due == null ? undefined : new Date(row.due)
  }

  deleteTaken(before: Date, most: number): Promise<number> {
    const rows = { table: 'sms_network_message', key: 'reference', time: 'taken_at' }
    return deleteOlder(this.#tx, rows, before, most)
  }
}
