import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type AccountId, idFromNumber } from '../../kernel/ids.ts'
import { parseSearch } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { migrate } from '../../storage/migrate.ts'
import { sql } from '../../storage/sql.ts'
import { SqliteDatabase } from '../../storage/sqlite/database.ts'
import { MAX_WAITING } from '../../storage/sqlite/text-index.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { AccountStore } from '../account/public.ts'
import { searchFields } from './search-fields.ts'
import { ItemStore } from './store.ts'
import { MOST_CANDIDATES, matchText } from './text-index-store.ts'

const ACCOUNT = idFromNumber<'account'>(900_000_000_001)
const OTHER = idFromNumber<'account'>(900_000_000_002)

/** Few characters, so that parts match often; with what LIKE, the index and case folding trip over. */
const text = fc
  .array(fc.constantFrom(...'aAbB%_\\"*:\'- éÉßſKk日本😀'), { maxLength: 12 })
  .map((characters) => characters.join(''))

for (const engine of engines) {
  describe(`the index of texts on ${engine.name}`, () => {
    test('finds what comparing each item finds', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      await database.write(async (tx) => {
        for (const [id, code] of [
          [ACCOUNT, 'a'],
          [OTHER, 'b'],
        ] as const) {
          const member = { code, class: 'member' }
          const names = { code, name: code, class: 'account' }
          await new AccountStore(tx).insert({ id, ...names, member, createdAt: TEST_NOW })
        }
      })
      let next = 910_000_000_000
      await fc.assert(
        fc.asyncProperty(
          fc.array(text, { maxLength: 12 }),
          text,
          text,
          fc.boolean(),
          async (names, word, changed, isTakenIn) => {
            await database.write(async (tx) => {
              await tx.run(sql`DELETE FROM item`)
              await tx.run(sql`DELETE FROM item_count`)
              const ids = names.map(() => idFromNumber<'item'>(++next))
              for (const [index, id] of ids.entries()) {
                const accountId: AccountId = index % 4 === 3 ? OTHER : ACCOUNT
                await new ItemStore(tx, accountId).insert(itemOf(accountId, id, names[index] ?? ''))
              }
              const [first] = ids
              if (first !== undefined) {
                await new ItemStore(tx, ACCOUNT).update(itemOf(ACCOUNT, first, changed))
              }
              if (isTakenIn) await fillUp(tx, MAX_WAITING + 1)
            })
            const query = parseSearch({ Filter: { Name: word } }, undefined)
            const { items, total } = await database.read((tx) =>
              new ItemStore(tx, ACCOUNT).list(query, searchFields([])),
            )
            const lower = (one: string) =>
              one.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
            const words = word.split(' ').filter((one) => one !== '')
            const wanted = names
              .map((name, index) => (index === 0 ? changed : name))
              .filter(
                (name, index) =>
                  index % 4 !== 3 && words.every((one) => lower(name).includes(lower(one))),
              )
            assert.deepEqual(items.map(({ name }) => name).sort(), wanted.sort())
            assert.equal(total, wanted.length)
          },
        ),
        { numRuns: 150 },
      )
    })
  })
}

test('a search asks the index for all threes of its words, and for nothing when they are short', () => {
  const of = (Filter: object) => matchText(parseSearch({ Filter }, undefined))
  assert.equal(of({ Name: 'abcd x' }), 'name:"abc" AND name:"bcd"')
  assert.equal(of({ 'Status.ICCID': '898' }), 'external_key:"898"')
  assert.equal(of({ Name: 'ab', Description: 'abcdef' }), '')
  assert.equal(of({ Name: 'a"b' }), 'name:"a""b"')
  assert.ok(MOST_CANDIDATES > 0)
})

test('items wait for the index until there are enough of them', async (t) => {
  const database = new SqliteDatabase(undefined)
  t.after(() => database.close())
  await migrate(database, TEST_NOW)
  const waiting = async () => {
    const rows = await database.read((tx) => tx.all(sql`SELECT id FROM item_text_waiting`))
    return rows.length
  }
  await database.write((tx) => fillUp(tx, MAX_WAITING))
  assert.equal(await waiting(), MAX_WAITING)
  await database.write((tx) => fillUp(tx, MAX_WAITING + 1))
  assert.equal(await waiting(), 0)
})

/** So many more wait, which are no items: enough of them, and all that wait are taken in. */
async function fillUp(tx: Tx, count: number): Promise<void> {
  if (tx.engine !== 'sqlite') return
  const ids = JSON.stringify(Array.from({ length: count }, (_, index) => index + 1))
  await tx.run(
    sql`INSERT OR IGNORE INTO item_text_waiting (id) SELECT value FROM json_each(${ids})`,
  )
}

function itemOf(accountId: AccountId, id: ReturnType<typeof idFromNumber<'item'>>, name: string) {
  return {
    ...{ id, accountId, class: 'sim', name, description: undefined, tags: [], iconId: undefined },
    ...{ externalKey: undefined, availability: 'available' as const },
    ...{ createdAt: TEST_NOW, modifiedAt: TEST_NOW },
  }
}
