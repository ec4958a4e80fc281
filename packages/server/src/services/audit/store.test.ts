/** No statement of the trail may read all of it: it is the largest table of some servers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from '../../storage/sql.ts'
import { onSqlite } from '../../testing/engines.ts'

test('rows are chained by their id, and found by an index when they wait', async (t) => {
  const database = await onSqlite.open()
  t.after(() => database.close())
  const plans = [
    'UPDATE audit SET chain_number = 1 WHERE id = 1 AND chain_number IS NULL',
    'SELECT at FROM audit WHERE chain_number IS NULL LIMIT 1',
    'SELECT * FROM audit WHERE chain_number IS NULL ORDER BY id LIMIT 500',
    'SELECT * FROM audit WHERE chain_number > 1 ORDER BY chain_number LIMIT 500',
    "SELECT * FROM audit WHERE account = 'a' ORDER BY at DESC, id DESC LIMIT 100",
    'SELECT * FROM audit WHERE at >= 1 ORDER BY at DESC, id DESC LIMIT 100',
  ]
  for (const text of plans) {
    const steps = await database.read((tx) =>
      tx.all<{ detail: string }>(raw(`EXPLAIN QUERY PLAN ${text}`)),
    )
    const shown = steps.map(({ detail }) => detail).join('; ')
    assert.match(shown, /^SEARCH audit USING (INDEX|INTEGER PRIMARY KEY)/, text)
    assert.doesNotMatch(shown, /SCAN|B-TREE/, text)
  }
})
