/**
 * How fast a million usage records become bills: `node_modules/.bin/node bench/usage-records.ts [records]`,
 * on the embedded engine in a file and on a PostgreSQL server that it starts. Once as messages, many records a line of the bill, and once as bytes,
 * a line of its own for each. Prints the rates, and how much the process grew meanwhile.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type AccountId, idFromNumber } from '../packages/server/src/kernel/ids.ts'
import { AccountStore } from '../packages/server/src/services/account/public.ts'
import { billingJob } from '../packages/server/src/services/billing/public.ts'
import { SMS_MESSAGE, simTrafficOf } from '../packages/server/src/services/pricing/public.ts'
import type { Database } from '../packages/server/src/storage/database.ts'
import { migrate } from '../packages/server/src/storage/migrate.ts'
import { join as joinSql, raw, sql } from '../packages/server/src/storage/sql.ts'
import { SqliteDatabase } from '../packages/server/src/storage/sqlite/database.ts'
import { engines } from '../packages/server/src/testing/engines.ts'

const RECORDS = Number(process.argv[2] ?? 1_000_000)
const ACCOUNTS = 10
const BATCH = 2_000
const APRIL = new Date('2026-04-01T00:00:00+09:00')
const MAY = new Date('2026-05-01T00:00:00+09:00')
const MIB = 1024 ** 2

for (const engine of engines) {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-bench-'))
  const open = async (file: string): Promise<Database> => {
    if (engine.name !== 'sqlite') return engine.open()
    const database = new SqliteDatabase(join(folder, file))
    await migrate(database, APRIL)
    return database
  }
  try {
    const { serviceClassId: message } = SMS_MESSAGE
    const { serviceClassId: bytes } = simTrafficOf(0)
    await measure(await open('messages'), 'messages of 100 services', message, 100)
    await measure(await open('bytes'), 'bytes of as many SIMs', bytes, RECORDS)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(database: Database, name: string, product: number, resources: number) {
  try {
    await generate(database, product, resources)
    const before = process.memoryUsage().rss
    const start = performance.now()
    await billingJob.run(database, MAY)
    const seconds = (performance.now() - start) / 1000
    const grown = (process.memoryUsage().rss - before) / MIB
    const made = await database.read((tx) =>
      tx.first<{ bills: number; yen: number }>(
        raw('SELECT count(*) AS bills, sum(amount) AS yen FROM bill'),
      ),
    )
    const rate = Math.round(RECORDS / seconds).toLocaleString('en')
    console.log(
      `${database.engine}, ${RECORDS} records, ${name}: ${made?.bills} bills of ${made?.yen} yen in ${seconds.toFixed(1)} s, ${rate} records/s, grown by ${grown.toFixed(0)} MiB`,
    )
  } finally {
    await database.close()
  }
}

async function generate(store: Database, product: number, resources: number): Promise<void> {
  await store.write(async (tx) => {
    for (let n = 0; n < ACCOUNTS; n += 1) {
      const member = { code: `m${n}`, class: 'member' }
      const names = { code: `a${n}`, name: `a${n}`, class: 'account' }
      await new AccountStore(tx).insert({ id: accountOf(n), ...names, member, createdAt: APRIL })
    }
  })
  for (let first = 0; first < RECORDS; first += BATCH) {
    const rows = Array.from({ length: Math.min(BATCH, RECORDS - first) }, (_, index) => {
      const n = first + index
      const resource = String(910_000_000_000 + (n % resources))
      return sql`(${resource}, ${product}, ${`e${n}`}, ${accountOf(n % ACCOUNTS)}, ${APRIL},
                  ${1 + n}, ${APRIL}, ${APRIL})`
    })
    await store.write((tx) =>
      tx.run(sql`INSERT INTO usage_count
                   (resource_id, product, event, account_id, month, quantity, from_at, to_at)
                 VALUES ${joinSql(rows, ', ')}`),
    )
  }
}

function accountOf(n: number): AccountId {
  return idFromNumber<'account'>(900_000_000_000 + n)
}
