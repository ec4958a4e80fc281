import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SealedColumn } from '../../kernel/sealed-column.ts'
import { SecretBox } from '../../kernel/secret-box.ts'
import { sql } from '../../storage/sql.ts'
import { openCloud } from '../../testing/cloud.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { encryptionHandlers } from './routes.ts'

const known = new SecretBox([{ id: 'known', bytes: Buffer.alloc(32, 1) }])
const lost = new SecretBox([{ id: 'lost', bytes: Buffer.alloc(32, 2) }])

const owner = (name: string) => `network_element ${name}`
/** A document that has a value in some rows only. */
const column: SealedColumn = {
  ...{ table: 'network_element', column: 'carriers', key: ['name'], owner },
  inDocument: (text, each) => (text === '{}' ? text : each(text)),
}

/** More than are read at once. */
const WITHOUT_A_VALUE = 250

for (const engine of engines) {
  describe(`the check of sealed values on ${engine.name}`, () => {
    test('opens the first value of a kind, however many rows before it have none', async (t) => {
      const { database } = await openCloud(t, { engine })
      const put = (from: number, carriers: readonly string[]) =>
        database.write((tx) =>
          tx.insertMany(
            'network_element',
            ['name', 'address', 'secret', 'carriers', 'coa_port'],
            carriers.map((text, at) => [`e${from + at}`, `a${from + at}`, 'x', text, 0]),
          ),
        )
      const { encryptionCheck } = encryptionHandlers(known, [column], () => undefined)
      const check = async () => {
        const { ok, kinds } = await encryptionCheck(
          // What other handlers need.
          {} as never,
          { database, now: TEST_NOW } as never,
        )
        return [ok, kinds[0]?.result, kinds[0]?.under]
      }
      await put(1_000, Array(WITHOUT_A_VALUE).fill('{}'))
      assert.deepEqual(await check(), [true, 'empty', null])
      await put(2_000, [lost.seal('a', owner('e2000')), known.seal('b', owner('e2001'))])
      assert.deepEqual(await check(), [false, 'failed', 'lost'])
      await database.write((tx) => tx.run(sql`DELETE FROM network_element WHERE name = ${'e2000'}`))
      assert.deepEqual(await check(), [true, 'opened', 'known'])
    })
  })
}
