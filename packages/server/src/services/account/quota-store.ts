import { japanDayStart } from '../../kernel/datetime.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { type Sql, sql } from '../../storage/sql.ts'
import type { CountedQuota } from './quota-rules.ts'

/** How much an account has of what quotas limit, over the tables of all slices. */
export class QuotaStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async used(name: CountedQuota, now: Date): Promise<number> {
    const row = await this.#tx.first<{ used: number | null }>(this.#count(name, now))
    return row?.used ?? 0
  }

  #count(name: CountedQuota, now: Date): Sql {
    const own = sql`account_id = ${this.#accountId}`
    switch (name) {
      case 'sims':
        return sql`SELECT sum(items) AS used FROM item_count WHERE ${own} AND class = 'sim'`
      case 'projects':
        return sql`SELECT sum(items) AS used FROM item_count WHERE ${own} AND class = 'iotplatform'`
      case 'gateways':
        return sql`SELECT sum(gateways) AS used FROM gateway_count WHERE ${own}`
      case 'sites':
        return sql`SELECT count(*) AS used FROM site WHERE ${own}`
      case 'messages_per_day':
        return sql`SELECT count(*) AS used FROM sms_message
                   WHERE ${own} AND sent_at >= ${japanDayStart(now)}`
      case 'file_bytes':
        return sql`SELECT sum(size) AS used FROM iot_file WHERE ${own}`
    }
  }
}
