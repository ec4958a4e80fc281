/** One PostgreSQL database for all tests of a file, which is empty at the beginning of each. */
import type { TestContext } from 'node:test'
import type { Database } from '../storage/database.ts'
import { truncateAll } from '../storage/truncate.ts'
import { sharedPostgres } from './engines.ts'

const engine = await sharedPostgres?.()

/** The reason to skip, where there is one. */
export const skip = engine === undefined && 'there is no PostgreSQL server'

export async function openEmpty(t: TestContext): Promise<Database> {
  if (engine === undefined) throw new Error('There is no PostgreSQL.')
  const database = await engine.open()
  t.after(() => database.close())
  await database.replace(truncateAll)
  return database
}
