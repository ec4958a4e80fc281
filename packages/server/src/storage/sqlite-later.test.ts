import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw, type SqlValue, sql } from './sql.ts'
import { SqliteDatabase } from './sqlite/database.ts'

const together = (values: readonly SqlValue[]) => sql`INSERT INTO note VALUES (${values.join(' ')})`

async function open() {
  const database = new SqliteDatabase(undefined)
  await database.write((tx) => tx.run(raw('CREATE TABLE note (text TEXT)')))
  const notes = () =>
    database.read(async (tx) => {
      const rows = await tx.all<{ text: string }>(raw('SELECT text FROM note'))
      return rows.map(({ text }) => text)
    })
  return { database, notes }
}

test('what several writes of a group want under one name is done by one statement', async () => {
  const { database, notes } = await open()
  await Promise.all(
    ['a', 'b', 'c'].map((value) => database.write((tx) => tx.later('x', value, together))),
  )
  assert.deepEqual(await notes(), ['a b c'])
  await database.write((tx) => tx.later('x', 'd', together))
  assert.deepEqual(await notes(), ['a b c', 'd'])
  await database.close()
})

test('a write that fails takes only what it wanted itself with it', async () => {
  const { database, notes } = await open()
  const failing = database.write(async (tx) => {
    await tx.later('x', 'lost', together)
    throw new Error('no')
  })
  const others = ['a', 'b'].map((value) => database.write((tx) => tx.later('x', value, together)))
  await assert.rejects(failing, new Error('no'))
  await Promise.all(others)
  assert.deepEqual((await notes()).join(' '), 'a b')
  await database.close()
})

test('a read that shares a group in memory sees what waits', async () => {
  const { database, notes } = await open()
  const writing = database.write((tx) => tx.later('x', 'a', together))
  assert.deepEqual(await notes(), ['a'])
  await writing
  await database.close()
})
