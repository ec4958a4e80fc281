/** Which counts of which nonce have been used, for all processes together. */
import { type AgedRows, deleteOlder, ROWS_AT_ONCE } from '../../storage/aged-rows.ts'
import type { Database } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

const ROWS: AgedRows = { table: 'digest_use', key: 'nonce, nonce_count', time: 'expires_at' }

/** False when it was used before. What has expired is taken away on the way. */
export function useNonce(
  database: Database,
  nonce: string,
  count: number,
  expiresAt: Date,
  now: Date,
): Promise<boolean> {
  return database.write(async (tx) => {
    await deleteOlder(tx, ROWS, now, ROWS_AT_ONCE)
    const added = await tx.run(
      sql`INSERT INTO digest_use (nonce, nonce_count, expires_at)
          VALUES (${nonce}, ${count}, ${expiresAt}) ON CONFLICT DO NOTHING`,
    )
    return added === 1
  })
}
