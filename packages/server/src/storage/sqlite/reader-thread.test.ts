import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import type { Database, Tx } from '../database.ts'
import { raw, sql } from '../sql.ts'
import { SqliteDatabase } from './database.ts'
import { ReaderThread } from './reader-thread.ts'

const COUNT = raw('SELECT COUNT(*) AS rows FROM thing')
/** Some tenths of a second. */
const SLOW =
  raw(`WITH RECURSIVE step (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM step WHERE n < 2000000)
  SELECT COUNT(*) AS rows FROM step`)

async function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-thread-'))
  const file = join(folder, 'a.db')
  const owner = new SqliteDatabase(file)
  t.after(async () => {
    await owner.close()
    rmSync(folder, { recursive: true })
  })
  await owner.write((tx) => tx.run(raw('CREATE TABLE thing (name TEXT NOT NULL)')))
  const add = (name: string) =>
    owner.write((tx) => tx.run(sql`INSERT INTO thing (name) VALUES (${name})`))
  return { file, owner, add }
}

/** A read that says that it takes long. */
function long<T>(database: Database, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.read((tx) => {
    tx.offload?.()
    return work(tx)
  })
}

describe('a read that takes long', () => {
  test('lets others be answered meanwhile', async (t) => {
    const { owner: database, add } = await open(t)
    const order: string[] = []
    const slow = long(database, (tx) => tx.first(SLOW)).then((row) => {
      order.push('slow')
      return row
    })
    await add('x')
    const seen = await database.read((tx) => tx.first(COUNT))
    order.push('quick')
    assert.deepEqual(await slow, { rows: 2_000_000 })
    assert.deepEqual(order, ['quick', 'slow'])
    assert.deepEqual(seen, { rows: 1 })
  })

  test('sees what was committed before it, and nothing that comes later', async (t) => {
    const { owner: database, add } = await open(t)
    await add("a 'quoted' ? name")
    const seen = await long(database, async (tx) => {
      const before = await tx.all(raw('SELECT name FROM thing'))
      await add('later')
      return [before, await tx.first(COUNT)]
    })
    assert.deepEqual(seen, [[{ name: "a 'quoted' ? name" }], { rows: 1 }])
    assert.deepEqual(await long(database, (tx) => tx.first(COUNT)), { rows: 2 })
  })
})

describe('reads that take long', () => {
  test('are in the load of the database: one runs, the others wait', async (t) => {
    const { owner } = await open(t)
    const immediate = () => new Promise(setImmediate)
    // A writer that is done still gathers others for a moment.
    while (owner.load().idle < 3) await immediate()
    const reads = [1, 2, 3].map(() => long(owner, (tx) => tx.first(SLOW)))
    // They are with the thread when a read that was asked for later is answered.
    await owner.read(async () => undefined)
    await immediate()
    assert.deepEqual(owner.load(), { open: 3, idle: 2, waiting: 2 })
    await Promise.all(reads)
    assert.deepEqual(owner.load(), { open: 3, idle: 3, waiting: 0 })
  })

  test('begin anew elsewhere, once', async (t) => {
    const { owner } = await open(t)
    const begun: boolean[] = []
    await owner.read(async (tx) => {
      begun.push(tx.offload === undefined)
      tx.offload?.()
    })
    assert.deepEqual(begun, [false, true])
  })

  test('go on after one that failed, whatever it was that did', async (t) => {
    const { owner, add } = await open(t)
    await add('x')
    const failing = long(owner, (tx) => tx.all(raw('SELECT * FROM nowhere')))
    const refused = long(owner, () => Promise.reject(new Error('refused')))
    const writing = long(owner, (tx) => tx.run(raw('DELETE FROM thing')))
    await assert.rejects(failing, /no such table: nowhere/)
    await assert.rejects(refused, /refused/)
    await assert.rejects(writing, /A read changes nothing/)
    assert.deepEqual(await long(owner, (tx) => tx.first(COUNT)), { rows: 1 })
  })

  test('have a new thread when the one before it has ended', async (t) => {
    const { file } = await open(t)
    const missing = `${file}.later`
    const thread = new ReaderThread(missing)
    const count = () => thread.read((tx) => tx.first(COUNT))
    for (const read of [count(), count()]) {
      await assert.rejects(read, /unable to open database file/)
    }
    const late = new SqliteDatabase(missing)
    await late.write((tx) => tx.run(raw('CREATE TABLE thing (name TEXT NOT NULL)')))
    assert.deepEqual(await count(), { rows: 0 })
    await thread.close()
    await late.close()
  })

  test('are answered before the database is closed', async (t) => {
    const { file, add } = await open(t)
    await add('x')
    const other = new SqliteDatabase(file)
    const counted = long(other, (tx) => tx.first(COUNT))
    await new Promise(setImmediate)
    await other.close()
    assert.deepEqual(await counted, { rows: 1 })
  })

  test('are no other reads in memory', async () => {
    const database = new SqliteDatabase(undefined)
    await database.read(async (tx) => assert.equal(tx.offload, undefined))
    await database.write(async (tx) => assert.equal(tx.offload, undefined))
    await database.close()
  })
})
