import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BadRequest } from './errors.ts'
import { type ListFields, searchList } from './search-list.ts'
import { parseSearch } from './search-query.ts'

const FRUITS = [
  { ID: 3, Name: 'Red Apple', Other: 'pomme', IsRipe: true },
  { ID: 1, Name: 'Pear', Other: 'poire', IsRipe: false },
  { ID: 2, Name: 'red plum', Other: 'prune', IsRipe: true },
]

const FIELDS: ListFields<(typeof FRUITS)[number]> = {
  ID: ({ ID }) => ID,
  Name: ({ Name }) => Name,
  AnyName: ({ Name, Other }) => [Name, Other],
  IsRipe: ({ IsRipe }) => IsRipe,
}

const search = (query: object) => searchList(FRUITS, parseSearch(query), FIELDS)
const ids = (query: object) => search(query).page.map((one) => Object(one).ID)

describe('searchList', () => {
  test('gives all in their own order, and a page with its place', () => {
    assert.deepEqual(ids({}), [3, 1, 2])
    const { page, ...head } = search({ From: 1, Count: 1, Include: ['Name'] })
    assert.deepEqual(head, { From: 1, Count: 1, Total: 3 })
    assert.deepEqual(page, [{ Name: 'Pear', Index: 1 }])
    assert.deepEqual(search({ From: 9 }).Count, 0)
  })

  test('finds words whatever their case, whole values in lists, and one of several names', () => {
    assert.deepEqual(ids({ Filter: { Name: 'RED' } }), [3, 2])
    assert.deepEqual(ids({ Filter: { Name: 'apple red' } }), [3])
    assert.deepEqual(ids({ Filter: { Name: ['Pear', 'plum'] } }), [1])
    assert.deepEqual(ids({ Filter: { AnyName: 'pr' } }), [2])
    assert.deepEqual(ids({ Filter: { Name: 'red', IsRipe: 'true', ID: '2' } }), [2])
    assert.deepEqual(ids({ Filter: { ID: [1, 2] } }), [1, 2])
  })

  test('compares numbers and texts, and sorts by several fields both ways', () => {
    assert.deepEqual(ids({ Filter: { 'ID<=': 2 } }), [1, 2])
    assert.deepEqual(ids({ Filter: { 'ID>': '1', 'ID<': 3 } }), [2])
    assert.deepEqual(ids({ Filter: { 'Name>=': 'Q' } }), [3, 2])
    assert.deepEqual(ids({ Sort: ['-IsRipe', 'ID'] }), [2, 3, 1])
    assert.deepEqual(ids({ Sort: ['IsRipe'] }), [1, 3, 2])
  })

  test('refuses fields that the list does not have, and values of another type', () => {
    assert.throws(() => ids({ Filter: { constructor: 'x' } }), BadRequest)
    assert.throws(() => ids({ Sort: ['Other'] }), BadRequest)
    assert.throws(() => ids({ Filter: { ID: 'x' } }), BadRequest)
    assert.throws(() => ids({ Filter: { IsRipe: 1 } }), BadRequest)
  })
})
