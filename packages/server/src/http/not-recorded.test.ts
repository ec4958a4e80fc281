import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { raw } from '../storage/sql.ts'
import { engines } from '../testing/engines.ts'
import { openSims } from '../testing/sims.ts'

/** As it is when the disk becomes full between the change and its entry. */
const REFUSE_ENTRIES = {
  sqlite: [
    "CREATE TRIGGER full_disk BEFORE INSERT ON audit BEGIN SELECT RAISE(FAIL, 'disk full'); END",
  ],
  postgres: [
    `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$`,
    'CREATE TRIGGER full_disk BEFORE INSERT ON audit EXECUTE FUNCTION full_disk()',
  ],
}

const TAKE_ENTRIES = {
  sqlite: ['DROP TRIGGER full_disk'],
  postgres: ['DROP TRIGGER full_disk ON audit', 'DROP FUNCTION full_disk'],
}

for (const engine of engines) {
  describe(`a change whose entry in the audit trail cannot be written, on ${engine.name}`, () => {
    test('is answered as made, and not by a 503, which is repeated', async (t) => {
      const { ready, attach, traffic, operator, database } = await openSims(t, engine)
      await ready(1)
      await attach(1)
      const run = (statements: readonly string[]) =>
        database.write(async (tx) => {
          for (const statement of statements) await tx.run(raw(statement))
        })
      await run(REFUSE_ENTRIES[engine.name])
      const { status, body: answer } = await traffic(1, 1, 2)
      // The next test gets this database with its triggers.
      await run(TAKE_ENTRIES[engine.name])
      assert.equal(status, 500)
      assert.match(answer.error_msg, /The change was made/)
      const { body: list } = await operator('GET', '/sessions')
      assert.equal(list.sessions[0].uplink_bytes, 1)
    })
  })
}
