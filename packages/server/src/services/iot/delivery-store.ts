import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

/** The adapter is no more: nothing is to be delivered to it. */
export async function deleteDeliveriesOf(tx: Tx, adapterId: string): Promise<void> {
  await tx.run(
    sql`DELETE FROM iot_attempt WHERE delivery_id IN
          (SELECT id FROM iot_delivery WHERE adapter_id = ${adapterId})`,
  )
  await tx.run(sql`DELETE FROM iot_delivery WHERE adapter_id = ${adapterId}`)
}
