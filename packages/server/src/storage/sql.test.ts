import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { join, list, raw, sql } from './sql.ts'

const shown = (query: { chunks: readonly string[]; values: readonly unknown[] }) => [
  query.chunks.join('?'),
  ...query.values,
]

describe('sql', () => {
  test('makes parameters of values, never text', () => {
    assert.deepEqual(shown(sql`a = ${"'; DROP"} AND b = ${2}`), ['a = ? AND b = ?', "'; DROP", 2])
  })

  test('splices fragments in, with their values in order', () => {
    const inner = sql`x = ${1} OR y = ${2}`
    assert.deepEqual(shown(sql`${raw('a')} (${inner}) z = ${3}`), [
      'a (x = ? OR y = ?) z = ?',
      1,
      2,
      3,
    ])
  })

  test('stores booleans as 0 and 1 and datetimes as milliseconds', () => {
    assert.deepEqual(shown(sql`${true} ${false} ${new Date(5)} ${null}`), [
      '? ? ? ?',
      1,
      0,
      5,
      null,
    ])
  })

  test('joins and lists', () => {
    assert.deepEqual(shown(join([sql`a = ${1}`, sql`b = ${2}`], ' AND ')), [
      'a = ? AND b = ?',
      1,
      2,
    ])
    assert.deepEqual(shown(sql`id IN ${list(['x', 'y'])}`), ['id IN (?, ?)', 'x', 'y'])
    assert.deepEqual(shown(sql`id IN ${list([])}`), ['id IN (NULL)'])
  })
})
