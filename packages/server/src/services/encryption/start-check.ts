/**
 * Whether the key-encryption key is the one that this database was made with. Without the check a server
 * with a wrong key would start and then refuse every caller.
 */

import { StartError } from '../../kernel/errors.ts'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Database } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import { RotationStore } from './rotation-store.ts'

const OWNER = 'encryption_check'

/** The table has one row and one column. */
export const CHECK_COLUMN: SealedColumn = {
  ...{ table: 'encryption_check', column: 'sealed', key: ['sealed'] },
  owner: () => OWNER,
}

export async function checkEncryptionKey(database: Database, box: SecretBox): Promise<void> {
  await database.write(async (tx) => {
    const row = await tx.first<{ sealed: string }>(raw('SELECT sealed FROM encryption_check'))
    if (row === undefined) {
      await tx.run(sql`INSERT INTO encryption_check (sealed) VALUES (${box.seal('kumoi', OWNER)})`)
      return
    }
    try {
      box.open(row.sealed, OWNER)
      // What this server seals is not under the key of an earlier rotation, which is not done any more.
      await new RotationStore(tx).forgetOthers(box.keyIds[0] ?? '')
    } catch (error) {
      throw new StartError(
        'The key-encryption key is not the one that this database was made with (see --key-file).',
        { cause: error },
      )
    }
  })
}
