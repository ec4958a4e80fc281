/**
 * The other ceiling: prepared INSERTs into `node:sqlite` by a bare loop, each creation a transaction of its own that
 * is as durable as the server's. `raw-inserts.ts SECONDS FILE` has one short row in a table without indexes;
 * `raw-inserts.ts SECONDS FILE ROWS.json` has the rows that the server leaves for a SIM (creation-rows.ts), in the
 * server's tables with their indexes. Prints one JSON line.
 */
import { readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { DURABLE } from '../packages/server/src/storage/sqlite/connection.ts'
import type { CreationRow, CreationRows } from './creation-rows.ts'

type Insert = (n: number) => void

function bareTable(database: DatabaseSync): Insert {
  database.exec(
    'CREATE TABLE sim (id TEXT PRIMARY KEY, account_id TEXT, iccid TEXT UNIQUE, name TEXT, created_at BIGINT)',
  )
  const insert = database.prepare('INSERT INTO sim VALUES (?, ?, ?, ?, ?)')
  return (n) => {
    const iccid = `8981045${String(n).padStart(12, '0')}`
    insert.run(String(910_000_000_000 + n), '900000000001', iccid, `meter ${iccid}`, n)
  }
}

function creation(database: DatabaseSync, learned: CreationRows): Insert {
  // What the triggers do is among the rows already.
  for (const { name } of database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all())
    database.exec(`DROP TRIGGER "${name}"`)
  const inserts = learned.rows.map((row) => rowInsert(database, row, learned))
  const begin = database.prepare('BEGIN IMMEDIATE')
  const commit = database.prepare('COMMIT')
  return (n) => {
    begin.run()
    for (const insert of inserts) insert(n)
    commit.run()
  }
}

function rowInsert(database: DatabaseSync, row: CreationRow, learned: CreationRows): Insert {
  const { table, columns, changes } = row
  const names = columns.map((name) => (name === 'rowid' ? name : `"${name}"`)).join(', ')
  const places = columns.map(() => '?').join(', ')
  const updates = columns.map((name) => `"${name}" = excluded."${name}"`).join(', ')
  const conflict = changes.length === 0 ? '' : `ON CONFLICT (${changes}) DO UPDATE SET ${updates}`
  const insert = database.prepare(
    `INSERT INTO "${table}" (${names}) VALUES (${places}) ${conflict}`,
  )
  const values = row.values.map((value) => freshValue(value, learned))
  return (n) => insert.run(...values.map((value) => value(n)))
}

/** The learned value with the next id and the next ICCID in place of those that were learned. */
function freshValue(
  value: SQLInputValue,
  { id, number }: CreationRows,
): (n: number) => SQLInputValue {
  const first = Number(id) + 1
  // The sequence is one ahead of the id.
  const ahead = Number(value) - Number(id)
  if (typeof value === 'number' && (ahead === 0 || ahead === 1)) return (n) => first + n + ahead
  if (value === id) return (n) => String(first + n)
  if (typeof value !== 'string' || !value.endsWith(number)) return () => value
  const [head, own] = [value.slice(0, -number.length), Number(number) + 1]
  return (n) => head + String(own + n).padStart(number.length, '0')
}

const [, , seconds = '4', file = '', rows] = process.argv
const learned: CreationRows | undefined = rows && JSON.parse(readFileSync(rows, 'utf8'))
const database = new DatabaseSync(learned?.file ?? file, { enableForeignKeyConstraints: true })
for (const pragma of DURABLE) database.exec(pragma)
const insert = learned === undefined ? bareTable(database) : creation(database, learned)
const before = process.cpuUsage()
const began = performance.now()
let n = 0
for (; performance.now() - began < Number(seconds) * 1000; n += 1) insert(n)
const { user, system } = process.cpuUsage(before)
const perSecond = Math.round(n / ((performance.now() - began) / 1000))
process.stdout.write(`${JSON.stringify({ perSecond, cpu: Math.round((user + system) / n) })}\n`)
