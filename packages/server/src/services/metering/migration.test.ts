import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { applyMigrations, readMigrations } from '../../storage/migrate.ts'
import { raw } from '../../storage/sql.ts'
import { SqliteDatabase } from '../../storage/sqlite/database.ts'
import { TEST_NOW } from '../../testing/engines.ts'

const ROWS = [
  `INSERT INTO account (id, code, name, class, member_code, member_class, created_at)
   VALUES ('a', 'a', 'a', 'account', 'm', 'member', 1)`,
  `INSERT INTO item (id, account_id, class, name, tags, availability, created_at, modified_at)
   VALUES ('s1', 'a', 'sim', 'meter', '', 'available', 1, 1)`,
  `INSERT INTO sim (id, account_id, iccid, imsis, registered_at, activated, activated_at)
   VALUES ('s1', 'a', '1', '', 1, 1, 7), ('s2', 'a', '2', '', 1, 0, NULL)`,
  `INSERT INTO gateway (id, account_id, zone, name, description, tags, plan_id, available_at, power,
     power_changed_at, public_address, public_subnet, created_at)
   VALUES ('g', 'a', 'tk1v', 'gate', '', '', 2, 1, 'up', 1, 1, '198.18.0.0/15', 9)`,
]

describe('a database from before there were meters', () => {
  test('is metered from when its SIMs and gateways came into use', async (t) => {
    const database = new SqliteDatabase(undefined)
    t.after(() => database.close())
    const all = readMigrations('sqlite')
    const before = all.filter(({ version }) => version < 70)
    const spans = await database.write(async (tx) => {
      await applyMigrations(tx, before, TEST_NOW)
      for (const row of ROWS) await tx.run(raw(row))
      await applyMigrations(tx, all, TEST_NOW)
      return tx.all(
        raw(`SELECT usage_span.resource_id, product, from_at, to_at, name FROM usage_span
             JOIN metered_resource ON metered_resource.resource_id = usage_span.resource_id
             ORDER BY product`),
      )
    })
    assert.deepEqual(
      spans.map((span) => ({ ...Object(span) })),
      [
        { resource_id: 's1', product: 50010, from_at: 7, to_at: null, name: 'meter' },
        { resource_id: 'g', product: 50063, from_at: 9, to_at: null, name: 'gate' },
      ],
    )
  })
})
