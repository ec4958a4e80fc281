/** The secrets of real devices. Only hashes are kept: a lost secret is replaced, not looked up. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { list, sql } from '../../storage/sql.ts'

/** The secret of before is of no use any more. */
export async function setSecret(tx: Tx, simId: ItemId, hash: string): Promise<void> {
  await tx.run(
    sql`INSERT INTO iot_device_secret (sim_id, hash) VALUES (${simId}, ${hash})
        ON CONFLICT (sim_id) DO UPDATE SET hash = excluded.hash`,
  )
}

export async function findSimBySecret(tx: Tx, hash: string): Promise<ItemId | undefined> {
  const row = await tx.first<{ sim_id: ItemId }>(
    sql`SELECT sim_id FROM iot_device_secret WHERE hash = ${hash}`,
  )
  return row?.sim_id
}

/** The hashes of the secrets, by SIM; those that have none are missing. */
export async function findSecrets(
  tx: Tx,
  simIds: readonly ItemId[],
): Promise<ReadonlyMap<ItemId, string>> {
  const rows = await tx.all<{ sim_id: ItemId; hash: string }>(
    sql`SELECT sim_id, hash FROM iot_device_secret WHERE sim_id IN ${list(simIds)}`,
  )
  return new Map(rows.map((row) => [row.sim_id, row.hash]))
}

export async function forgetSecret(tx: Tx, simId: ItemId): Promise<void> {
  await tx.run(sql`DELETE FROM iot_device_secret WHERE sim_id = ${simId}`)
}
