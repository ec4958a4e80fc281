import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { BadRequest } from './errors.ts'
import { parseQueryString } from './query-string.ts'

describe('a query of JSON', () => {
  const search = { From: 0, Count: 20, Filter: { Name: 'a b+c', 'CreatedAt>=': '2026+09:00' } }

  test('is read encoded', () => {
    assert.deepEqual(parseQueryString(encodeURIComponent(JSON.stringify(search))), search)
  })

  test('is read raw', () => {
    assert.deepEqual(parseQueryString(JSON.stringify(search)), search)
  })

  test('is read with only its quotes encoded, as browsers do', () => {
    const raw = JSON.stringify(search).replaceAll('"', '%22').replaceAll(' ', '%20')
    assert.deepEqual(parseQueryString(raw), search)
  })

  test('is read raw with the strings in it encoded, as Go clients do', () => {
    const raw = '{"Count":0,"Filter":{"Name":"a%20b%E9%9B%B2","CreatedAt\\u003c":"x+09:00"}}'
    assert.deepEqual(parseQueryString(raw), {
      Count: 0,
      Filter: { Name: 'a b雲', 'CreatedAt<': 'x+09:00' },
    })
  })

  test('keeps what an encoded quote or backslash stands for within its string', () => {
    assert.deepEqual(parseQueryString('{"Filter":{"Name":"a%22,%22ID%22:%22b%5C%0A"}}'), {
      Filter: { Name: 'a","ID":"b\\\n' },
    })
  })

  test('is decoded only once', () => {
    assert.deepEqual(parseQueryString('{"Name":"100%2525"}'), { Name: '100%25' })
    assert.deepEqual(parseQueryString('%7B%22Name%22%3A%22100%2525%22%7D'), { Name: '100%25' })
  })

  test('gives the same however its strings are encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const whole = encodeURIComponent(JSON.stringify({ Name: name }))
        const inner = `{"Name":"${encodeURIComponent(name)}"}`
        assert.deepEqual(parseQueryString(whole), { Name: name })
        assert.deepEqual(parseQueryString(inner), { Name: name })
      }),
    )
  })

  test('has no power over prototypes', () => {
    const value = parseQueryString('{"__proto__":{"From":5}}')
    assert.ok(typeof value === 'object' && value !== null)
    assert.equal(Reflect.get(value, 'From'), undefined)
  })

  for (const raw of ['{', '{"a":}', '%7B%22a%22', "{'a':1}", '{"a":1}&b=2', '{"a":1}x']) {
    test(`is refused when broken: ${raw}`, () => {
      assert.throws(() => parseQueryString(raw), BadRequest)
    })
  }

  for (const raw of ['%', '%zz', '{"Name":"50%"}', '{"Name":"%FF"}', 'a=%E3%81', '%=1']) {
    test(`is refused when an escape is malformed: ${raw}`, () => {
      assert.throws(
        () => parseQueryString(raw),
        (error) => error instanceof BadRequest && error.text.ja !== error.text.en,
      )
    })
  }
})

describe('a query of pairs', () => {
  const cases: readonly (readonly [string, unknown])[] = [
    ['', undefined],
    ['From=0', { From: 0 }],
    ['From=0&Count=20', { From: 0, Count: 20 }],
    ['Filter={"Name":"x"}', { Filter: { Name: 'x' } }],
    ['Filter=%7B%22Name%22%3A%22x%20y%22%7D', { Filter: { Name: 'x y' } }],
    ['Filter={"Name":"x%22y"}', { Filter: { Name: 'x"y' } }],
    ['Filter={"Name"', { Filter: '{"Name"' }],
    ['Sort=Name', { Sort: ['Name'] }],
    ['Sort=-Name&Sort=ID', { Sort: ['-Name', 'ID'] }],
    ['Sort=["Name","-ID"]', { Sort: ['Name', '-ID'] }],
    ['Sort=1', { Sort: ['1'] }],
    ['Sort', { Sort: [''] }],
    ['Include=Name&Exclude=Tags', { Include: ['Name'], Exclude: ['Tags'] }],
    ['Include=*', { Include: ['*'] }],
    ['target=202604', { target: 202604 }],
    ['type=current', { type: 'current' }],
    ['a=true&b=false&c=null&d="x"', { a: true, b: false, c: 'null', d: '"x"' }],
    ['a=1.5&b=-1&c=007&d=1e3', { a: 1.5, b: -1, c: '007', d: 1000 }],
    ['a=8981040000000000001', { a: '8981040000000000001' }],
    ['a=9007199254740991&b=9007199254740992', { a: 2 ** 53 - 1, b: '9007199254740992' }],
    ['a=1e999', { a: '1e999' }],
    ['a=b+c%2Bd%26e%3Df=g', { a: 'b+c+d&e=f=g' }],
    ['a%20b=c', { 'a b': 'c' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['&&a=1&', { a: 1 }],
    ['a=1&a=2', { a: 2 }],
  ]
  for (const [raw, value] of cases) {
    test(`${raw} is ${JSON.stringify(value)}`, () => {
      assert.deepEqual(parseQueryString(raw), value)
    })
  }

  test('has no power over prototypes', () => {
    const value = parseQueryString('__proto__={"From":5}')
    assert.ok(typeof value === 'object' && value !== null)
    assert.equal(Reflect.get(value, 'From'), undefined)
  })
})
