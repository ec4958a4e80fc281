import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BadRequest } from './errors.ts'
import { parseSearch, SEARCH_LIMITS, selectFields } from './search-query.ts'

/** The refusal must name the field in both languages. */
function assertRefused(value: unknown, name: string): void {
  assert.throws(
    () => parseSearch(value),
    (error) => {
      assert.ok(error instanceof BadRequest, String(error))
      assert.ok(error.text.en.includes(name), error.text.en)
      assert.ok(error.text.ja.includes(name), error.text.ja)
      return error.text.en !== error.text.ja
    },
  )
}

const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value)

const keyed = (count: number, value: unknown) =>
  Object.fromEntries(many(count, value).map((each, index) => [`F${index}`, each]))

const everything = {
  from: 0,
  count: 10_000,
  sort: [],
  include: undefined,
  exclude: [],
  filter: [],
}

describe('parseSearch', () => {
  test('takes no query, an empty one and null members for no condition', () => {
    const nulls = { From: null, Count: null, Sort: null, Include: null, Exclude: null }
    for (const value of [undefined, null, {}, { ...nulls, Filter: null }, { Filter: {} }]) {
      assert.deepEqual(parseSearch(value), everything)
    }
  })

  test('reads every member', () => {
    const search = parseSearch({
      From: 40,
      Count: 20,
      Sort: ['Name', '-CreatedAt'],
      Include: ['*', 'Status.sim'],
      Exclude: ['Tags'],
      Filter: { Name: 'x' },
    })
    assert.deepEqual(search, {
      from: 40,
      count: 20,
      sort: [
        { path: 'Name', descending: false },
        { path: 'CreatedAt', descending: true },
      ],
      include: ['*', 'Status.sim'],
      exclude: ['Tags'],
      filter: [{ path: 'Name', operator: 'match', text: 'x', words: ['x'] }],
    })
  })

  test('ignores members that it does not know', () => {
    assert.deepEqual(parseSearch({ Foo: 1, from: 'x', target: 202604 }), everything)
  })

  test('takes an empty Include for an absent one', () => {
    assert.deepEqual(parseSearch({ Include: [], Sort: [], Exclude: [] }), everything)
  })

  test('clips Count at the cap, and takes 0 for it', () => {
    const counts = [0, 1, 9_999, 10_000, 10_001, Number.MAX_SAFE_INTEGER]
    assert.deepEqual(
      counts.map((count) => parseSearch({ Count: count }).count),
      [10_000, 1, 9_999, 10_000, 10_000, 10_000],
    )
  })

  test('takes the default of its list for an absent Count, and for nothing else', () => {
    const counts = [undefined, null, 0, 1, 101].map((Count) => parseSearch({ Count }, 100).count)
    assert.deepEqual(counts, [100, 100, 10_000, 1, 101])
    assert.equal(parseSearch(undefined, 100).count, 100)
  })

  test('refuses what is no object', () => {
    for (const value of [[], 'x', 1, true]) {
      assert.throws(() => parseSearch(value), BadRequest)
    }
  })

  test('refuses From and Count that are no whole numbers', () => {
    for (const value of [-1, 1.5, '1', true, [], {}, 2 ** 53, Number.POSITIVE_INFINITY]) {
      assertRefused({ From: value }, 'From')
      assertRefused({ Count: value }, 'Count')
    }
  })

  test('refuses lists that are none, and entries that are no names', () => {
    for (const name of ['Sort', 'Include', 'Exclude']) {
      for (const value of ['Name', 1, {}, true]) assertRefused({ [name]: value }, name)
      for (const value of ['', 1, null, ['Name']]) {
        assertRefused({ [name]: ['Name', value] }, `${name}[1]`)
      }
    }
    assertRefused({ Sort: ['-'] }, 'Sort[0]')
  })

  test('holds the limits of the lists', () => {
    const { sortFields, selectedFields, characters } = SEARCH_LIMITS
    assert.deepEqual([sortFields, selectedFields, characters], [16, 200, 1000])
    assert.equal(parseSearch({ Sort: many(sortFields, 'a') }).sort.length, 16)
    assertRefused({ Sort: many(sortFields + 1, 'a') }, 'Sort')
    for (const name of ['Include', 'Exclude']) {
      parseSearch({ [name]: many(selectedFields, 'a') })
      assertRefused({ [name]: many(selectedFields + 1, 'a') }, name)
    }
    parseSearch({ Sort: ['a'.repeat(characters)] })
    assertRefused({ Sort: ['a'.repeat(characters + 1)] }, 'Sort[0]')
  })

  test('gives an answer or a refusal, whatever it is given', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        for (const value of [a, { Filter: a, Sort: b }, { Filter: { Name: a, 'ID<': b } }]) {
          try {
            parseSearch(value)
          } catch (error) {
            assert.ok(error instanceof BadRequest)
          }
        }
      }),
    )
  })
})

describe('Filter', () => {
  const conditions = (filter: unknown) => parseSearch({ Filter: filter }).filter

  test('reads a string as words, which must all match', () => {
    assert.deepEqual(conditions({ Name: ' red  blue+x\t' }), [
      { path: 'Name', operator: 'match', text: ' red  blue+x\t', words: ['red', 'blue+x\t'] },
    ])
  })

  test('reads an array as values, of which one must match, and a list in it as all of them', () => {
    assert.deepEqual(conditions({ A: ['x y', 1, true], B: [], C: [['red', 'blue'], 'green'] }), [
      { path: 'A', operator: 'in', values: ['x y', 1, true] },
      { path: 'B', operator: 'in', values: [] },
      { path: 'C', operator: 'in', values: [['red', 'blue'], 'green'] },
    ])
  })

  test('reads numbers and booleans as they are', () => {
    assert.deepEqual(conditions({ 'Plan.ID': 0, Paid: false }), [
      { path: 'Plan.ID', operator: 'equals', value: 0 },
      { path: 'Paid', operator: 'equals', value: false },
    ])
  })

  test('reads the four operators', () => {
    assert.deepEqual(conditions({ 'A<': 1, 'A<=': 'x y', 'A>': -1.5, 'A>=': 'z' }), [
      { path: 'A', operator: '<', value: 1 },
      { path: 'A', operator: '<=', value: 'x y' },
      { path: 'A', operator: '>', value: -1.5 },
      { path: 'A', operator: '>=', value: 'z' },
    ])
  })

  test('ignores null and texts without a word', () => {
    assert.deepEqual(conditions({ A: null, B: '', C: '  ', 'D>=': '', 'E<': null }), [])
  })

  test('refuses other operators and names them', () => {
    for (const operator of ['=', '==', '!', '!=', '<>', '~', '=<', '=>', '<<', '<=>', '>=~']) {
      assertRefused({ Filter: { [`Name${operator}`]: 'x' } }, `"${operator}"`.slice(1, -1))
      assertRefused({ Filter: { [`Name${operator}`]: 'x' } }, `Filter.Name${operator}`)
    }
  })

  test('takes operators only from the end of a key', () => {
    assert.deepEqual(conditions({ 'A<B': 1 }), [{ path: 'A<B', operator: 'equals', value: 1 }])
  })

  test('refuses a key without a name', () => {
    for (const key of ['', '<', '>=']) assertRefused({ Filter: { [key]: 'x' } }, 'Filter')
  })

  test('refuses values of other types and names where they stand', () => {
    for (const value of [[], 'x', 1, true]) assertRefused({ Filter: value }, 'Filter')
    assertRefused({ Filter: { Name: {} } }, 'Filter.Name')
    assertRefused({ Filter: { Name: Number.POSITIVE_INFINITY } }, 'Filter.Name')
    assertRefused({ Filter: { Name: ['x', null] } }, 'Filter.Name[1]')
    assertRefused({ Filter: { Name: ['x', {}] } }, 'Filter.Name[1]')
    assertRefused({ Filter: { Name: [['x', []]] } }, 'Filter.Name[0][1]')
    for (const value of [true, ['x'], {}]) {
      assertRefused({ Filter: { 'Name>=': value } }, 'Filter.Name>=')
    }
  })

  test('holds its limits', () => {
    const limits = SEARCH_LIMITS
    assert.deepEqual([limits.conditions, limits.values, limits.terms], [64, 1000, 2000])
    assert.equal(conditions(keyed(limits.conditions, 'a')).length, 64)
    assertRefused({ Filter: keyed(limits.conditions + 1, 'a') }, 'Filter')
    conditions({ Name: many(limits.values, 'a') })
    assertRefused({ Filter: { Name: many(limits.values + 1, 'a') } }, 'Filter.Name')
    conditions({ Name: [many(limits.values, 'a')] })
    assertRefused({ Filter: { Name: [many(limits.values + 1, 'a')] } }, 'Filter.Name[0]')
  })

  test('holds the limit of all words and values together', () => {
    const full = { A: many(1000, 'a'), B: [many(997, 'a')], C: 'a b' }
    assert.equal(conditions({ ...full, D: 1 }).length, 4)
    assertRefused({ Filter: { ...full, D: 1, E: 1 } }, '2000')
    assertRefused({ Filter: { ...full, D: 'a b' } }, '2000')
  })

  test('holds the limit of a text, counted in characters', () => {
    const text = '雲'.repeat(500) + '😀'.repeat(500)
    conditions({ Name: text, 'Name>': text, Tags: [text], [text]: 1 })
    for (const value of [`${text}a`, [`${text}a`]]) {
      assertRefused({ Filter: { Name: value } }, 'Filter.Name')
    }
    assertRefused({ Filter: { 'Name>': `${text}a` } }, 'Filter.Name>')
    assertRefused({ Filter: { [`${text}a`]: 1 } }, 'Filter')
  })

  test('takes the names of object members for nothing but names', () => {
    const filter: unknown = JSON.parse('{"__proto__":"x","constructor":1}')
    assert.deepEqual(
      conditions(filter).map(({ path }) => path),
      ['__proto__', 'constructor'],
    )
  })
})

describe('selectFields', () => {
  const item = {
    Index: 3,
    ID: '1',
    Name: 'x',
    Status: { ICCID: '8', sim: { ip: '10.0.0.1', imsi: ['4'] } },
    Provider: { Class: 'sim', ID: 1 },
    Tags: ['a'],
    Icon: null,
  }

  test('keeps everything without Include, and with *', () => {
    assert.deepEqual(selectFields(item, undefined, []), item)
    assert.deepEqual(selectFields(item, ['*', 'Status.sim'], []), item)
    assert.deepEqual(selectFields(item, ['Name', '*'], []), item)
  })

  test('keeps the chosen fields and Index', () => {
    assert.deepEqual(selectFields(item, ['Name', 'Icon', 'Nothing'], []), {
      Index: 3,
      Name: 'x',
      Icon: null,
    })
    assert.deepEqual(selectFields({ ID: '1', Name: 'x' }, ['Name'], []), { Name: 'x' })
  })

  test('shows a field whole when one of its members is chosen', () => {
    assert.deepEqual(selectFields(item, ['Provider.Class', 'Status.sim.ip'], []), {
      Index: 3,
      Status: item.Status,
      Provider: item.Provider,
    })
    assert.deepEqual(selectFields(item, ['No.x', 'no'], []), { Index: 3 })
  })

  test('removes the fields that Exclude names, after Include, and no member of one', () => {
    assert.deepEqual(selectFields(item, ['Name', 'Tags'], ['Tags']), { Index: 3, Name: 'x' })
    const rest = selectFields(item, undefined, ['Status.sim', 'Provider', 'Tags', 'Icon', 'No.x'])
    assert.deepEqual(rest, { Index: 3, ID: '1', Name: 'x', Status: item.Status })
    assert.deepEqual(selectFields(item, undefined, ['*']), { Index: 3 })
    assert.deepEqual(selectFields(item, ['*'], ['Index']), item)
  })

  test('leaves the item itself as it is, and its fields in their order', () => {
    const before = structuredClone(item)
    const chosen = selectFields(item, ['Tags', 'Name', 'ID', 'Index'], ['Status.sim'])
    assert.deepEqual(Object.keys(chosen), ['Index', 'ID', 'Name', 'Tags'])
    assert.deepEqual(item, before)
  })

  test('never shows more than the item has', () => {
    const names = fc.constantFrom('ID', 'Status', 'Status.sim', '__proto__', 'constructor', '*')
    fc.assert(
      fc.property(fc.array(names), fc.array(names), (include, exclude) => {
        const shown = selectFields(item, include, exclude)
        for (const name of Object.keys(shown)) assert.ok(Object.hasOwn(item, name))
        assert.equal(shown.Index, 3)
        assert.equal(Object.getPrototypeOf(shown), Object.prototype)
      }),
    )
  })
})
