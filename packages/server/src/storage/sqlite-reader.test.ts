import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { raw } from './sql.ts'
import { SqliteDatabase } from './sqlite/database.ts'
import { SqliteReader } from './sqlite-reader.ts'

const COUNT = raw('SELECT COUNT(*) AS rows FROM thing')

async function open(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-reader-'))
  const file = join(folder, 'a.db')
  const writer = new SqliteDatabase(file)
  await writer.write((tx) => tx.run(raw('CREATE TABLE thing (name TEXT NOT NULL)')))
  const reader = new SqliteReader(file)
  t.after(async () => {
    await reader.close()
    await writer.close()
    rmSync(folder, { recursive: true })
  })
  const add = () => writer.write((tx) => tx.run(raw("INSERT INTO thing VALUES ('x')")))
  return { add, reader }
}

describe('SqliteReader', () => {
  test('shows all that was committed before a read began, and nothing that came later', async (t) => {
    const { add, reader } = await open(t)
    const count = () => reader.read((tx) => tx.first<{ rows: number }>(COUNT))
    const seen: unknown[] = []
    const long = reader.read(async (tx) => {
      seen.push(await tx.first(COUNT))
      await add()
      seen.push(await tx.first(COUNT))
    })
    // Begun while the other still runs, whose view is older.
    const [, after] = await Promise.all([long, add().then(count)])
    assert.deepEqual(seen, [{ rows: 0 }, { rows: 0 }])
    assert.deepEqual(after, { rows: 2 })
    await add()
    assert.deepEqual(await count(), { rows: 3 })
  })

  test('goes on after a read that failed', async (t) => {
    const { reader } = await open(t)
    await assert.rejects(
      reader.read(() => Promise.reject(new Error('refused'))),
      /refused/,
    )
    assert.deepEqual(await reader.read((tx) => tx.first(COUNT)), { rows: 0 })
  })

  test('writes nothing', async (t) => {
    const { reader } = await open(t)
    await assert.rejects(reader.write(), /only reads/)
    await assert.rejects(reader.replace(), /only reads/)
    await assert.rejects(
      reader.read((tx) => tx.run(raw("INSERT INTO thing VALUES ('x')"))),
      /readonly/,
    )
  })
})
