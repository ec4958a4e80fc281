import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Tx } from '../storage/database.ts'
import { raw } from '../storage/sql.ts'
import { openCloud } from '../testing/cloud.ts'
import { engines } from '../testing/engines.ts'

/** SQLite gets no further page; PostgreSQL says what it says when it cannot extend a file. */
const FILL = {
  sqlite: ['PRAGMA max_page_count = 1'],
  postgres: [
    `CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    'CREATE TRIGGER disk_full BEFORE INSERT ON item EXECUTE FUNCTION disk_full()',
  ],
}
const MAKE_ROOM = {
  sqlite: ['PRAGMA max_page_count = 1000000'],
  postgres: ['DROP TRIGGER disk_full ON item'],
}
const runAll = (statements: readonly string[]) => async (tx: Tx) => {
  for (const statement of statements) await tx.run(raw(statement))
}

for (const engine of engines) {
  describe(`a full disk on ${engine.name}`, () => {
    test('is 503 and one log line without a stack; reads and later writes go on', async (t) => {
      const lines: string[] = []
      const { ask, database } = await openCloud(t, { engine, logTo: (line) => lines.push(line) })
      const create = (name: string) => {
        const Description = 'x'.repeat(500)
        const item = { Name: name, Description, Provider: { Class: 'esme' } }
        return ask('POST', '/commonserviceitem', { body: { CommonServiceItem: item } })
      }
      const total = async () => (await ask('GET', '/commonserviceitem')).body.Total
      await database.write(runAll(FILL[engine.name]))
      let made = 0
      let refused = await create('first')
      while (refused.status === 201 && made < 1000) {
        made += 1
        refused = await create(`more-${made}`)
      }
      assert.equal(refused.status, 503)
      assert.equal(refused.body.error_code, 'service_unavailable')
      assert.match(String(refused.body.error_msg), /The disk is full/)
      const told = lines.filter((line) => line.includes('"disk full"'))
      assert.equal(told.length, 1)
      assert.equal(JSON.parse(told[0] ?? '').serial, refused.body.serial)
      assert.ok(!lines.some((line) => line.includes('"stack"')))
      assert.equal(await total(), made)
      const together = await Promise.all([create('a'), create('b'), create('c')])
      assert.deepEqual(new Set(together.map(({ status }) => status)), new Set([503]))
      await database.write(runAll(MAKE_ROOM[engine.name]))
      assert.equal((await create('again')).status, 201)
      assert.equal(await total(), made + 1)
    })
  })
}
