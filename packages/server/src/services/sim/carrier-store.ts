import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { Carrier } from './carrier-rules.ts'

/** The carriers that the world names. */
export class CarrierStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async list(): Promise<Carrier[]> {
    const rows = await this.#tx.all<{ name: string; country_code: string }>(
      raw('SELECT name, country_code FROM carrier ORDER BY place'),
    )
    return rows.map(({ name, country_code }) => ({ name, countryCode: country_code }))
  }

  async replace(carriers: readonly Carrier[]): Promise<void> {
    await this.#tx.run(raw('DELETE FROM carrier'))
    for (const [place, { name, countryCode }] of carriers.entries()) {
      await this.#tx.run(
        sql`INSERT INTO carrier (name, country_code, place) VALUES (${name}, ${countryCode}, ${place})`,
      )
    }
  }
}
