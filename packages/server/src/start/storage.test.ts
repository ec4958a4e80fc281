import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Database, Tx } from '../storage/database.ts'
import { raw } from '../storage/sql.ts'
import { openMemory } from './storage.ts'

const FIRST = new Date('2026-04-01T00:00:00Z')
const SECOND = new Date('2027-01-01T00:00:00Z')

const schemaOf = (database: Database) =>
  database.read((tx) =>
    tx.all(raw('SELECT type, name, sql FROM sqlite_schema ORDER BY type, name')),
  )
const rowsOf = (database: Database, query: string) =>
  database.read((tx) => tx.all<{ value: unknown }>(raw(query)))
const settings = 'SELECT name AS value FROM setting'
const insertSetting = (tx: Tx) =>
  tx.run(raw("INSERT INTO setting (name, value) VALUES ('sms_language', '\"en\"')"))

test('databases in memory have the same schema and share no content', async (t) => {
  const first = await openMemory(FIRST)
  t.after(() => first.close())
  await first.write(insertSetting)
  const second = await openMemory(SECOND)
  t.after(() => second.close())
  const applied = 'SELECT DISTINCT applied_at AS value FROM schema_migration'
  assert.deepEqual(await schemaOf(second), await schemaOf(first))
  assert.deepEqual(await rowsOf(first, applied), [{ value: FIRST.getTime() }])
  assert.deepEqual(await rowsOf(second, applied), [{ value: SECOND.getTime() }])
  assert.deepEqual(await rowsOf(second, settings), [])

  await second.write(insertSetting)
  await assert.rejects(
    second.write(async (tx) => {
      await tx.run(raw('DELETE FROM setting'))
      throw new Error('undone')
    }),
    /undone/,
  )
  assert.deepEqual(await rowsOf(second, settings), [{ value: 'sms_language' }])
  assert.deepEqual(await rowsOf(await openMemory(SECOND), settings), [])
})
