import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

export interface Rotation {
  readonly keyId: string
  readonly requestedAt: Date
  readonly finishedAt: Date | undefined
  /** How many values were sealed again, and how many could not be opened. */
  readonly resealed: number
  readonly failed: number
}

interface RotationRow {
  key_id: string
  requested_at: number
  finished_at: number | null
  resealed: number
  failed: number
}

/** One row for each key that was rotated to. */
export class RotationStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async find(keyId: string): Promise<Rotation | undefined> {
    const row = await this.#tx.first<RotationRow>(
      sql`SELECT key_id, requested_at, finished_at, resealed, failed
          FROM encryption_rotation WHERE key_id = ${keyId}`,
    )
    return (
      row && {
        keyId: row.key_id,
        requestedAt: new Date(row.requested_at),
        finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
        resealed: row.resealed,
        failed: row.failed,
      }
    )
  }

  /** One that is under way goes on. */
  async request(keyId: string, now: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO encryption_rotation (key_id, requested_at, finished_at, resealed, failed)
          VALUES (${keyId}, ${now}, NULL, 0, 0)
          ON CONFLICT (key_id) DO UPDATE SET requested_at = excluded.requested_at,
            finished_at = NULL, resealed = 0, failed = 0
          WHERE encryption_rotation.finished_at IS NOT NULL`,
    )
  }

  /** A rotation to another key says nothing of what was sealed after it. */
  async forgetOthers(keyId: string): Promise<void> {
    await this.#tx.run(sql`DELETE FROM encryption_rotation WHERE key_id <> ${keyId}`)
  }

  async addResealed(keyId: string, count: number): Promise<void> {
    await this.#tx.run(
      sql`UPDATE encryption_rotation SET resealed = resealed + ${count} WHERE key_id = ${keyId}`,
    )
  }

  async finish(keyId: string, failed: number, now: Date): Promise<void> {
    await this.#tx.run(
      sql`UPDATE encryption_rotation SET finished_at = ${now}, failed = ${failed}
          WHERE key_id = ${keyId}`,
    )
  }
}
