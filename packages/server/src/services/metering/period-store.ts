import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { Period } from './rules.ts'

interface PeriodRow {
  open_month: number
  closing_month: number | null
  billed_until: number
}

/** The one row that says how far usage has become bills. Who counts reads it, so that no one counts into a month while it is closed. */
export class PeriodStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(): Promise<Period | undefined> {
    const row = await this.#tx.first<PeriodRow>(
      raw('SELECT open_month, closing_month, billed_until FROM usage_period WHERE id = 1'),
    )
    return row && toPeriod(row)
  }

  async set({ openMonth, closingMonth, billedUntil }: Period): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO usage_period (id, open_month, closing_month, billed_until)
          VALUES (1, ${openMonth}, ${closingMonth ?? null}, ${billedUntil})
          ON CONFLICT (id) DO UPDATE SET open_month = excluded.open_month,
            closing_month = excluded.closing_month, billed_until = excluded.billed_until`,
    )
  }
}

function toPeriod(row: PeriodRow): Period {
  return {
    openMonth: new Date(row.open_month),
    closingMonth: row.closing_month === null ? undefined : new Date(row.closing_month),
    billedUntil: new Date(row.billed_until),
  }
}
