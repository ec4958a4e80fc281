/**
 * A copy of the embedded database while another process writes to it. VACUUM INTO reads in one transaction and holds
 * up no writer; the online backup of SQLite would start again after each write of another process.
 */
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { StartError } from '../kernel/errors.ts'
import { SqliteConnection } from '../storage/sqlite/connection.ts'
import { SqliteTx } from '../storage/sqlite/transaction.ts'
import { type CopiedDatabase, contentOf } from './copied-database.ts'
import { makePrivate } from './files.ts'

export async function copySqlite(file: string, to: string): Promise<CopiedDatabase> {
  if (!existsSync(file)) throw new StartError(`There is nothing to back up: ${file} is missing.`)
  await rm(to, { force: true })
  try {
    await using(file, async (connection) =>
      connection.execute(`VACUUM INTO '${to.replaceAll("'", "''")}'`),
    )
    const copied = await using(to, (connection) => contentOf(new SqliteTx(connection)))
    await makePrivate(to)
    return { engine: 'sqlite', ...copied }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(`The database ${file} cannot be copied: ${reason}.`)
  }
}

async function using<T>(
  file: string,
  work: (connection: SqliteConnection) => Promise<T>,
): Promise<T> {
  const connection = new SqliteConnection(file, true)
  try {
    return await work(connection)
  } finally {
    connection.close()
  }
}
