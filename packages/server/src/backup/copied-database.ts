/** What is to be known of a database that was copied, as of the moment of the copy. */
import { listBlobKeys } from '../services/iot/public.ts'
import type { Engine, Tx } from '../storage/database.ts'
import { raw } from '../storage/sql.ts'

export interface CopiedDatabase {
  readonly engine: Engine
  /** The newest migration in it. */
  readonly schema: number
  /** Of the contents of files that it refers to. */
  readonly blobKeys: readonly string[]
  /** Of PostgreSQL: the schema that holds the tables, and whether they use the extension pg_trgm. */
  readonly namespace?: string
  readonly hasTrigrams?: boolean
}

export async function contentOf(tx: Tx): Promise<Pick<CopiedDatabase, 'schema' | 'blobKeys'>> {
  const newest = await tx.first<{ version: number | null }>(
    raw('SELECT max(version) AS version FROM schema_migration'),
  )
  if (newest?.version == null) throw new Error('it holds no tables of Kumoi')
  return { schema: newest.version, blobKeys: await listBlobKeys(tx) }
}
