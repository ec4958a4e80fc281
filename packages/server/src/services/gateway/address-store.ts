/** The operator's public addresses: which are free. Who has one is in the gateway's own row. */
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

export class AddressStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /**
   * The first free address from `first` to `last`; undefined when all are taken. The unique index is
   * walked from `first` to the first gap, however many addresses are taken elsewhere.
   */
  async findFree(first: number, last: number): Promise<number | undefined> {
    if (first > last) return undefined
    if (!(await this.#isTaken(first))) return first
    const row = await this.#tx.first<{ free: number }>(
      sql`SELECT taken.public_address + 1 AS free FROM gateway taken
          WHERE taken.public_address >= ${first} AND taken.public_address < ${last}
            AND NOT EXISTS (SELECT 1 FROM gateway other
                            WHERE other.public_address = taken.public_address + 1)
          ORDER BY taken.public_address LIMIT 1`,
    )
    return row?.free
  }

  async #isTaken(address: number): Promise<boolean> {
    const row = await this.#tx.first(
      sql`SELECT 1 AS one FROM gateway WHERE public_address = ${address}`,
    )
    return row !== undefined
  }
}
