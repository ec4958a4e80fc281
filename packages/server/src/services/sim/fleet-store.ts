import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'

/** Devices of the embedded network that live by themselves: those that have these cards. */
export interface Fleet {
  readonly iccidFrom: string
  readonly iccidTo: string
  /** Makes what they do repeatable. */
  readonly seed: string
  /** Up to when they have lived. */
  readonly drivenAt: Date | undefined
}

interface FleetRow {
  iccid_from: string
  iccid_to: string
  seed: string
  driven_at: number | null
}

export class FleetStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async list(): Promise<Fleet[]> {
    const rows = await this.#tx.all<FleetRow>(
      raw('SELECT iccid_from, iccid_to, seed, driven_at FROM fleet ORDER BY iccid_from'),
    )
    return rows.map((row) => ({
      iccidFrom: row.iccid_from,
      iccidTo: row.iccid_to,
      seed: row.seed,
      drivenAt: row.driven_at === null ? undefined : new Date(row.driven_at),
    }))
  }

  async put({ iccidFrom, iccidTo, seed }: Fleet): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO fleet (iccid_from, iccid_to, seed) VALUES (${iccidFrom}, ${iccidTo}, ${seed})
          ON CONFLICT (iccid_from) DO UPDATE SET iccid_to = excluded.iccid_to, seed = excluded.seed`,
    )
  }

  async setDriven({ iccidFrom }: Fleet, at: Date): Promise<void> {
    await this.#tx.run(sql`UPDATE fleet SET driven_at = ${at} WHERE iccid_from = ${iccidFrom}`)
  }
}
