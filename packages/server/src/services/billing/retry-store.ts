import type { AccountId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'

/** A bill that could not be made. */
export interface BillRetry {
  readonly accountId: AccountId
  readonly month: Date
}

/** The bills of all accounts that have to be made again: one that fails keeps no other from being made. */
export class BillRetryStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async set({ accountId, month }: BillRetry, dueAt: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO bill_retry (account_id, month, due_at) VALUES (${accountId}, ${month}, ${dueAt})
          ON CONFLICT (account_id, month) DO UPDATE SET due_at = excluded.due_at`,
    )
  }

  async delete({ accountId, month }: BillRetry): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM bill_retry WHERE account_id = ${accountId} AND month = ${month}`,
    )
  }

  async listDue(now: Date): Promise<BillRetry[]> {
    const rows = await this.#tx.all<{ account_id: AccountId; month: number }>(
      sql`SELECT account_id, month FROM bill_retry WHERE due_at <= ${now} ORDER BY month, account_id`,
    )
    return rows.map((row) => ({ accountId: row.account_id, month: new Date(row.month) }))
  }

  async nextDue(): Promise<Date | undefined> {
    const row = await this.#tx.first<{ due: number | null }>(
      raw('SELECT min(due_at) AS due FROM bill_retry'),
    )
    return row?.due == null ? undefined : new Date(row.due)
  }
}
