/** Signed calls within the replay window: one that comes again adds nothing. */
import { deleteOlder } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

export class IncomingStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** The number of the message that came of it. */
  async find(adapterId: string, webhookId: string): Promise<number | undefined> {
    const row = await this.#tx.first<{ number: number }>(
      sql`SELECT number FROM iot_incoming_seen
          WHERE adapter_id = ${adapterId} AND webhook_id = ${webhookId}`,
    )
    return row?.number
  }

  async insert(adapterId: string, webhookId: string, number: number, now: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_incoming_seen (adapter_id, webhook_id, number, seen_at)
          VALUES (${adapterId}, ${webhookId}, ${number}, ${now})`,
    )
  }

  async oldest(): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      sql`SELECT min(seen_at) AS oldest FROM iot_incoming_seen`,
    )
    return row?.oldest ?? undefined
  }

  forget(before: Date, most: number): Promise<number> {
    const rows = { table: 'iot_incoming_seen', key: 'adapter_id, webhook_id', time: 'seen_at' }
    return deleteOlder(this.#tx, rows, before, most)
  }
}
