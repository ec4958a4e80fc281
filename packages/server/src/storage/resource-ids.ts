/** Ids of all kinds of resources are of one sequence; one that comes from outside may be in use in any. */
import type { Tx } from './database.ts'
import { sql } from './sql.ts'

/** What has this id, in words; undefined when it is free. */
export async function holderOfId(tx: Tx, id: string): Promise<string | undefined> {
  const holder = await tx.first<{ kind: string }>(
    sql`SELECT 'an account' AS kind FROM account WHERE id = ${id}
        UNION ALL SELECT 'an item' FROM item WHERE id = ${id}
        UNION ALL SELECT 'a gateway' FROM gateway WHERE id = ${id}
        UNION ALL SELECT 'a switch' FROM switch WHERE id = ${id}
        UNION ALL SELECT 'a site' FROM site WHERE id = ${id}`,
  )
  return holder?.kind
}
