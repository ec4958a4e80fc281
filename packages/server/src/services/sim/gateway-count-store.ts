import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

/** How many SIMs are in a gateway. */
export class GatewayCountStore {
  readonly #tx: Tx
  readonly #gatewayId: string

  constructor(tx: Tx, gatewayId: string) {
    this.#tx = tx
    this.#gatewayId = gatewayId
  }

  async get(): Promise<number> {
    const row = await this.#tx.first<{ sims: number }>(
      sql`SELECT sims FROM gateway_sim_count WHERE gateway_id = ${this.#gatewayId}`,
    )
    return row?.sims ?? 0
  }

  /** False when that would be one too many. */
  async increase(limit: number): Promise<boolean> {
    await this.#tx.run(
      sql`INSERT INTO gateway_sim_count (gateway_id, sims) VALUES (${this.#gatewayId}, 0)
          ON CONFLICT DO NOTHING`,
    )
    const updated = await this.#tx.run(
      sql`UPDATE gateway_sim_count SET sims = sims + 1
          WHERE gateway_id = ${this.#gatewayId} AND sims < ${limit}`,
    )
    return updated === 1
  }

  async decrease(): Promise<void> {
    await this.#tx.run(
      sql`UPDATE gateway_sim_count SET sims = sims - 1 WHERE gateway_id = ${this.#gatewayId}`,
    )
  }

  async delete(): Promise<void> {
    await this.#tx.run(sql`DELETE FROM gateway_sim_count WHERE gateway_id = ${this.#gatewayId}`)
  }
}
