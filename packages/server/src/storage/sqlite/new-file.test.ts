import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { raw } from '../sql.ts'
import { SqliteDatabase } from './database.ts'
import { createIfMissing } from './new-file.ts'

const FOREIGN_PAGE = Buffer.alloc(4096, 1)

function newFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'kumoi-new-file-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test('a new database has a header when it gets its name, and nothing is left beside it', (t) => {
  const folder = newFolder(t)
  createIfMissing(join(folder, 'kumoi.db'))
  assert.deepEqual(readdirSync(folder), ['kumoi.db'])
  assert.ok(statSync(join(folder, 'kumoi.db')).size > 0)
})

test('a new database begins anew after a kill while one was made', async (t) => {
  const folder = newFolder(t)
  for (const end of ['', '-journal', '-wal', '-shm'])
    writeFileSync(join(folder, `kumoi.db.new${end}`), end === '' ? '' : FOREIGN_PAGE)
  const database = new SqliteDatabase(join(folder, 'kumoi.db'))
  await database.write((tx) => tx.run(raw('CREATE TABLE one (id BIGINT)')))
  await database.close()
  assert.deepEqual(readdirSync(folder), ['kumoi.db'])
})

test('a database that is there is not made again', (t) => {
  const file = join(newFolder(t), 'kumoi.db')
  writeFileSync(file, 'something')
  createIfMissing(file)
  assert.equal(statSync(file).size, 'something'.length)
})
