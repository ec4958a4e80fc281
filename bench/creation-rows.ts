/**
 * Which rows the creation of one SIM leaves in which tables, learned from the file of a server that has just made
 * one: every table is read before and after.
 */
import { join } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { createOne, startCloud } from './cloud.ts'

export interface CreationRow {
  readonly table: string
  readonly columns: readonly string[]
  readonly values: readonly SQLInputValue[]
  /** Of a row that was there before, such as a count. */
  readonly changes: readonly string[]
}

export interface CreationRows {
  /** The server's own file, with all its tables and indexes. */
  readonly file: string
  readonly id: string
  /** The digits at the end of the ICCID, which are also those of the name and of the IMSI. */
  readonly number: string
  readonly rows: readonly CreationRow[]
}

const LEARNED = 17

export async function learnCreation(folder: string): Promise<CreationRows> {
  // No job falls due on a frozen clock, so nothing else is written meanwhile.
  const cloud = await startCloud(folder, ['--clock', 'frozen'])
  const file = join(folder, 'data', 'kumoi.db')
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    // The first ones make rows that later ones only change.
    for (let n = 1; n < LEARNED; n += 1) await createOne(cloud.plainPort, n)
    const before = new Set(rowsOf(database).map(textOf))
    const known = new Set(rowsOf(database).map(keyOf))
    const { id } = await createOne(cloud.plainPort, LEARNED)
    const rows = rowsOf(database)
      .filter((row) => !before.has(textOf(row)))
      .map((row) => ({ ...row, changes: known.has(keyOf(row)) ? row.key : [] }))
    return { file, id, number: String(LEARNED).padStart(10, '0'), rows }
  } finally {
    database.close()
    await cloud.stop()
  }
}

interface Row extends Omit<CreationRow, 'changes'> {
  readonly key: readonly string[]
}

const textOf = ({ table, values }: Row) => JSON.stringify([table, values])
const keyOf = ({ table, columns, key, values }: Row) =>
  JSON.stringify([table, ...key.map((name) => values[columns.indexOf(name)])])

function rowsOf(database: DatabaseSync): Row[] {
  const tables = database
    .prepare("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !name.startsWith('sqlite_'))
  return tables.flatMap((table) => tableRows(database, table))
}

function tableRows(database: DatabaseSync, table: string): Row[] {
  const info = database.prepare('SELECT name, pk FROM pragma_table_info(?)').all(table)
  const columns = info.map(({ name }) => String(name))
  const key = info.filter(({ pk }) => Number(pk) > 0).map(({ name }) => String(name))
  const statement = database.prepare(`SELECT * FROM "${table}"`)
  statement.setReturnArrays(true)
  // The cast: rows come as arrays, of which the types do not know.
  const rows = statement.all() as unknown as SQLInputValue[][]
  return rows.map((values) => ({ table, columns, key, values }))
}
