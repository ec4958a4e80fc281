/** The other ceiling: rows like those of a new SIM into `node:sqlite`, each durable by itself, one after the other. */
import { DatabaseSync } from 'node:sqlite'

const [, , file = '', seconds = '4'] = process.argv
const database = new DatabaseSync(file)
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
  CREATE TABLE sim (id TEXT PRIMARY KEY, account_id TEXT, iccid TEXT UNIQUE, name TEXT, created_at BIGINT)`)
const insert = database.prepare('INSERT INTO sim VALUES (?, ?, ?, ?, ?)')
const before = process.cpuUsage()
const began = performance.now()
let n = 0
for (; performance.now() - began < Number(seconds) * 1000; n += 1) {
  const iccid = `8981045${String(n).padStart(12, '0')}`
  insert.run(String(910_000_000_000 + n), '900000000001', iccid, `meter ${iccid}`, n)
}
const { user, system } = process.cpuUsage(before)
const perSecond = Math.round(n / ((performance.now() - began) / 1000))
process.stdout.write(`${JSON.stringify({ perSecond, cpu: Math.round((user + system) / n) })}\n`)
