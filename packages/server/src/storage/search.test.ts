import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BadRequest } from '../kernel/errors.ts'
import { parseSearch, SEARCH_LIMITS } from '../kernel/search-query.ts'
import { compileSearch, type SearchFields } from './search.ts'
import { raw, type Sql, sql } from './sql.ts'

const fields: SearchFields = {
  ID: { column: raw('id'), type: 'text' },
  Name: { column: raw('name'), type: 'text' },
  Class: { column: raw('class'), type: 'text', exact: true },
  'Plan.ID': { column: raw('plan'), type: 'number' },
  Paid: { column: raw('paid'), type: 'boolean' },
  CreatedAt: { column: raw('created_at'), type: 'datetime' },
  'Tags.Name': { column: raw('tags'), type: 'tags' },
}

interface Row {
  readonly id: string
  readonly name?: string | null
  readonly class?: string
  readonly plan?: number | null
  readonly paid?: boolean
  readonly createdAt?: string
  readonly tags?: readonly string[]
}

function database(rows: readonly Row[]): DatabaseSync {
  const db = new DatabaseSync(':memory:')
  db.exec(`CREATE TABLE item (id TEXT PRIMARY KEY, name TEXT, class TEXT, plan INTEGER,
    paid INTEGER, created_at INTEGER, tags TEXT NOT NULL)`)
  for (const row of rows) {
    const tags = (row.tags ?? []).length === 0 ? '' : `\n${row.tags?.join('\n')}\n`
    const createdAt = row.createdAt === undefined ? null : new Date(row.createdAt)
    const name = row.name ?? null
    run(
      db,
      sql`INSERT INTO item VALUES (${row.id}, ${name}, ${row.class ?? null}, ${row.plan ?? null},
        ${row.paid ?? null}, ${createdAt}, ${tags})`,
    )
  }
  return db
}

function run(db: DatabaseSync, query: Sql): readonly Record<string, unknown>[] {
  return db.prepare(query.chunks.join('?')).all(...query.values)
}

/** The ids that a search finds, in its order. */
function ids(db: DatabaseSync, search: unknown): string {
  const { where, orderBy } = compileSearch(parseSearch(search), fields, raw('id'))
  const rows = run(db, sql`SELECT id FROM item WHERE 1 = 1 AND ${where} ORDER BY ${orderBy}`)
  return rows.map((row) => row.id).join('')
}

const finder = (rows: readonly Row[]) => {
  const db = database(rows)
  return (filter: unknown) => ids(db, { Filter: filter })
}

function assertRefused(search: unknown, name: string): void {
  assert.throws(
    () => compileSearch(parseSearch(search), fields, raw('id')),
    (error) => {
      assert.ok(error instanceof BadRequest, String(error))
      assert.ok(error.text.en.includes(name), error.text.en)
      assert.ok(error.text.ja.includes(name), error.text.ja)
      return error.text.en !== error.text.ja
    },
  )
}

describe('compileSearch', () => {
  test('without conditions finds everything, by id', () => {
    const { where, orderBy } = compileSearch(parseSearch(undefined), fields, raw('id'))
    assert.deepEqual([where.chunks, where.values], [['1 = 1'], []])
    assert.deepEqual([orderBy.chunks, orderBy.values], [['id ASC'], []])
    assert.equal(ids(database([{ id: 'b' }, { id: 'a' }]), undefined), 'ab')
  })

  test('puts nothing that a user sent into the text of the statement', () => {
    const evil = "x' OR 1=1 --"
    const filter = { Name: evil, Class: [evil], 'ID<': evil, 'Tags.Name': [[evil]] }
    const { where } = compileSearch(parseSearch({ Filter: filter }), fields, raw('id'))
    assert.ok(!where.chunks.join('').includes('1=1'))
  })

  test('joins conditions with AND, as one expression', () => {
    const db = database([
      { id: 'a', name: 'x', plan: 1 },
      { id: 'b', name: 'x', plan: 2 },
      { id: 'c', name: 'y', plan: 1 },
    ])
    assert.equal(ids(db, { Filter: { Name: 'x', 'Plan.ID': 1 } }), 'a')
    const search = parseSearch({ Filter: { 'Tags.Name': ['p', 'q'] } })
    const { where } = compileSearch(search, fields, raw('id'))
    assert.deepEqual(run(db, sql`SELECT id FROM item WHERE 1 = 0 AND ${where}`), [])
    assert.equal(run(db, sql`SELECT id FROM item WHERE NOT ${where}`).length, 3)
  })

  test('refuses unknown fields, and lists the known ones', () => {
    for (const name of ['Nope', 'name', 'constructor', '__proto__', 'toString']) {
      const filter: unknown = JSON.parse(`{"Filter":{"${name}":"x"}}`)
      assertRefused(filter, name)
      assertRefused(filter, 'ID, Name, Class, Plan.ID, Paid, CreatedAt, Tags.Name')
      assertRefused({ Sort: [`-${name}`] }, name)
      assertRefused({ Sort: [name] }, 'ID, Name, Class')
    }
  })

  test('runs the largest search that is accepted', () => {
    const db = database([{ id: 'a', name: 'x', tags: ['t1'], createdAt: '2026-04-01T00:00:00Z' }])
    const many = <T>(value: (n: number) => T) =>
      Array.from({ length: SEARCH_LIMITS.values }, (_, n) => value(n))
    const dates = many(() => '2026-04-01T00:00:00Z')
    assert.equal(ids(db, { Filter: { CreatedAt: dates, 'Tags.Name': many((n) => `t${n}`) } }), 'a')
    assert.equal(ids(db, { Filter: { Name: many(String), 'Tags.Name': [many(() => 't1')] } }), '')
    const words = Array.from({ length: 500 }, () => 'x').join(' ')
    assert.equal(ids(db, { Filter: { Name: words, 'Tags.Name': words } }), '')
    assert.equal(ids(db, { Filter: { Name: words } }), 'a')
    assert.equal(ids(db, { Filter: { Name: '%'.repeat(1000) } }), '')
  })
})

describe('a filter on a text', () => {
  const find = finder([
    { id: 'a', name: 'Red Apple', class: 'sim' },
    { id: 'b', name: 'blue_50%\\x', class: 'SIM' },
    { id: 'c', name: 'ÄPFEL 雲井', class: 'simx' },
    { id: 'd', name: '123' },
    { id: 'e', name: null },
    { id: 'f', name: 'two\nlines' },
  ])

  test('with a string matches any part and ignores ASCII case only', () => {
    assert.equal(find({ Name: 'app' }), 'a')
    assert.equal(find({ Name: 'aPPLE' }), 'a')
    assert.equal(find({ Name: '雲' }), 'c')
    assert.equal(find({ Name: 'ÄPF' }), 'c')
    assert.equal(find({ Name: 'äpf' }), '')
    // U+212A, the Kelvin sign, is a "k" to toLowerCase.
    assert.equal(find({ Name: '\u212a' }), '')
  })

  test('with several words wants all of them, in any order', () => {
    assert.equal(find({ Name: 'apple red' }), 'a')
    assert.equal(find({ Name: 'red blue' }), '')
  })

  test('takes wildcards and the escape for themselves', () => {
    for (const name of ['_', '%', '\\', '50%\\', 'E_5']) assert.equal(find({ Name: name }), 'b')
    assert.equal(find({ Name: 'b_ue' }), '')
    assert.equal(find({ Name: 'a%e' }), '')
  })

  test('with an array matches one value exactly', () => {
    assert.equal(find({ Name: ['Red Apple', '123', 'nothing'] }), 'ad')
    assert.equal(find({ Name: ['red apple'] }), '')
    assert.equal(find({ Name: ['Red'] }), '')
    assert.equal(find({ Name: [] }), '')
    assert.equal(find({ Name: [''] }), '')
    assert.equal(find({ Name: [123] }), 'd')
  })

  test('with a list in the array wants all of its values', () => {
    assert.equal(find({ Name: [['123', '123']] }), 'd')
    assert.equal(find({ Name: [['123', 'Red Apple']] }), '')
    assert.equal(find({ Name: [['123'], 'Red Apple'] }), 'ad')
  })

  test('with a number or a boolean matches its text exactly', () => {
    assert.equal(find({ Name: 123 }), 'd')
    assert.equal(find({ Name: 12 }), '')
    assert.equal(find({ Name: true }), '')
  })

  test('compares by bytes, and never finds NULL', () => {
    assert.equal(find({ 'Name<': 'Red Apple' }), 'd')
    assert.equal(find({ 'Name<=': 'Red Apple' }), 'ad')
    assert.equal(find({ 'Name>': 'Red Apple' }), 'bcf')
    assert.equal(find({ 'Name>=': 'Red Apple' }), 'abcf')
    assert.equal(find({ 'Name>': 1, 'Name<': 2 }), 'd')
  })

  test('that is exact takes a string whole and with its case', () => {
    assert.equal(find({ Class: 'sim' }), 'a')
    assert.equal(find({ Class: ['sim', 'SIM'] }), 'ab')
    assert.equal(find({ Class: 'si' }), '')
    assert.equal(find({ Class: 'sim SIM' }), '')
  })

  test('ignores null and an empty string', () => {
    assert.equal(find({ Name: null, Class: '' }), 'abcdef')
  })

  test('may have a line break', () => {
    assert.equal(find({ Name: 'o\nl' }), 'f')
  })

  test('finds by a word exactly the names that have it', () => {
    const alphabet = fc.string({
      unit: fc.constantFrom('a', 'A', 'b', '%', '_', '\\', 'é'),
      maxLength: 4,
    })
    const lower = (text: string) => text.replaceAll(/[A-Z]/g, (c) => c.toLowerCase())
    fc.assert(
      fc.property(alphabet, alphabet, (name, word) => {
        const found = finder([{ id: 'a', name }])({ Name: word }) === 'a'
        assert.equal(found, lower(name).includes(lower(word)))
      }),
    )
  })
})

describe('a filter on a number', () => {
  const find = finder([
    { id: 'a', plan: 1 },
    { id: 'b', plan: 2 },
    { id: 'c', plan: 12 },
    { id: 'd', plan: null },
  ])

  test('matches exactly, also from a string', () => {
    assert.equal(find({ 'Plan.ID': 2 }), 'b')
    assert.equal(find({ 'Plan.ID': '2' }), 'b')
    assert.equal(find({ 'Plan.ID': ' 2 ' }), 'b')
    assert.equal(find({ 'Plan.ID': '2.0' }), 'b')
    assert.equal(find({ 'Plan.ID': '1.2e+01' }), 'c')
    assert.equal(find({ 'Plan.ID': [1, '12', 99] }), 'ac')
    assert.equal(find({ 'Plan.ID': [] }), '')
    assert.equal(find({ 'Plan.ID': 1.5 }), '')
    assert.equal(find({ 'Plan.ID': [1.5, 1] }), 'a')
  })

  test('compares by value', () => {
    assert.equal(find({ 'Plan.ID<': 2 }), 'a')
    assert.equal(find({ 'Plan.ID<=': '2' }), 'ab')
    assert.equal(find({ 'Plan.ID>': 2 }), 'c')
    assert.equal(find({ 'Plan.ID>=': '2', 'Plan.ID<': 12 }), 'b')
    assert.equal(find({ 'Plan.ID>': 1.5 }), 'bc')
    assert.equal(find({ 'Plan.ID<': 1e300 }), 'abc')
  })

  test('refuses what is no number', () => {
    for (const value of ['x', '1 2', '0x1', '1e999', 'Infinity', true, ['x'], [true]]) {
      assertRefused({ Filter: { 'Plan.ID': value } }, 'Filter.Plan.ID')
    }
    assertRefused({ Filter: { 'Plan.ID>=': 'x' } }, 'Filter.Plan.ID>=')
  })
})

describe('a filter on a boolean', () => {
  const find = finder([{ id: 'a', paid: true }, { id: 'b', paid: false }, { id: 'c' }])

  test('matches exactly, also from a word', () => {
    assert.equal(find({ Paid: true }), 'a')
    assert.equal(find({ Paid: false }), 'b')
    assert.equal(find({ Paid: 'true' }), 'a')
    assert.equal(find({ Paid: 'false' }), 'b')
    assert.equal(find({ Paid: [true, false] }), 'ab')
  })

  test('refuses other values, and comparing', () => {
    for (const value of ['yes', 'True', 1, 0, [1]]) {
      assertRefused({ Filter: { Paid: value } }, 'Filter.Paid')
    }
    assertRefused({ Filter: { 'Paid>': 0 } }, 'Filter.Paid>')
  })
})

describe('a filter on a datetime', () => {
  const find = finder([
    { id: 'a', createdAt: '2026-03-31T23:59:59.999Z' },
    { id: 'b', createdAt: '2026-04-01T00:00:00.000Z' },
    { id: 'c', createdAt: '2026-04-01T00:00:00.500Z' },
    { id: 'd', createdAt: '2026-04-01T00:00:01.000Z' },
    { id: 'e' },
  ])
  const shown = '2026-04-01T09:00:00+09:00'

  test('without a fraction stands for the whole second that lists show', () => {
    assert.equal(find({ CreatedAt: shown }), 'bc')
    assert.equal(find({ CreatedAt: [shown, '2026-04-01T00:00:01Z'] }), 'bcd')
    assert.equal(find({ 'CreatedAt<': shown }), 'a')
    assert.equal(find({ 'CreatedAt<=': shown }), 'abc')
    assert.equal(find({ 'CreatedAt>': shown }), 'd')
    assert.equal(find({ 'CreatedAt>=': shown }), 'bcd')
  })

  test('with a fraction stands for its millisecond', () => {
    const exact = '2026-04-01T00:00:00.500000Z'
    assert.equal(find({ CreatedAt: exact }), 'c')
    assert.equal(find({ 'CreatedAt<': exact }), 'ab')
    assert.equal(find({ 'CreatedAt<=': exact }), 'abc')
    assert.equal(find({ 'CreatedAt>': exact }), 'd')
    assert.equal(find({ 'CreatedAt>=': exact }), 'cd')
  })

  test('refuses what is no datetime with an offset', () => {
    const values = [
      '2026-04-01',
      '2026-04-01T00:00:00',
      '2026-02-30T00:00:00Z',
      'x',
      0,
      true,
      ['x'],
    ]
    for (const value of values) assertRefused({ Filter: { CreatedAt: value } }, 'Filter.CreatedAt')
    assertRefused({ Filter: { 'CreatedAt>=': 0 } }, 'Filter.CreatedAt>=')
  })
})

describe('a filter on tags', () => {
  const find = finder([
    { id: 'a', tags: ['red', 'Blue'] },
    { id: 'b', tags: ['red wine', '50%'] },
    { id: 'c', tags: [] },
    { id: 'd', tags: ['1', 'true'] },
  ])

  test('with a string matches part of any tag, in any case; with several words all of them', () => {
    assert.equal(find({ 'Tags.Name': 'RE' }), 'ab')
    assert.equal(find({ 'Tags.Name': 'red blue' }), 'a')
    assert.equal(find({ 'Tags.Name': '%' }), 'b')
    assert.equal(find({ 'Tags.Name': 'red green' }), '')
  })

  test('with an array matches one whole tag, with its case', () => {
    assert.equal(find({ 'Tags.Name': ['red'] }), 'a')
    assert.equal(find({ 'Tags.Name': ['Blue', 'red wine'] }), 'ab')
    assert.equal(find({ 'Tags.Name': ['blue'] }), '')
    assert.equal(find({ 'Tags.Name': ['re', '50', ''] }), '')
    assert.equal(find({ 'Tags.Name': [] }), '')
    assert.equal(find({ 'Tags.Name': [1, true] }), 'd')
    assert.equal(find({ 'Tags.Name': 1 }), 'd')
  })

  test('with a list in the array wants all of its tags, as Go clients send them', () => {
    assert.equal(find({ 'Tags.Name': [['red', 'Blue']] }), 'a')
    assert.equal(find({ 'Tags.Name': [['red', '50%']] }), '')
    assert.equal(find({ 'Tags.Name': [['red', 'Blue'], '50%'] }), 'ab')
  })

  test('finds nothing by a control character', () => {
    for (const needle of ['\n', 'd\nB', '\nred', 'red\n', '\t', '\0', '\u007f', '\u0085']) {
      assert.equal(find({ 'Tags.Name': needle }), '')
      assert.equal(find({ 'Tags.Name': [needle] }), '')
    }
    assert.equal(find({ 'Tags.Name': ['red\nBlue', 'red wine'] }), 'b')
  })

  test('refuses comparing', () => {
    assertRefused({ Filter: { 'Tags.Name<': 'x' } }, 'Filter.Tags.Name<')
  })
})

describe('a sort', () => {
  const db = database([
    { id: 'd', name: 'x', plan: 1 },
    { id: 'a', name: 'x', plan: 2 },
    { id: 'c', name: 'B', plan: 10 },
    { id: 'b', name: 'x', plan: null },
    { id: 'e', name: null, plan: 1 },
  ])

  test('breaks ties by ascending id, also when descending', () => {
    assert.equal(ids(db, { Sort: ['Name'] }), 'cabde')
    assert.equal(ids(db, { Sort: ['-Name'] }), 'eabdc')
    assert.equal(ids(db, { Sort: ['Name', '-Plan.ID'] }), 'cbade')
    assert.equal(ids(db, { Sort: ['ID'] }), 'abcde')
    assert.equal(ids(db, { Sort: ['-ID'] }), 'edcba')
  })

  test('takes NULL for the largest value', () => {
    assert.equal(ids(db, { Sort: ['Plan.ID'] }), 'deacb')
    assert.equal(ids(db, { Sort: ['-Plan.ID'] }), 'bcade')
  })
})
