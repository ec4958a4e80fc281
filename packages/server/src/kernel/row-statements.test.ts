import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RowStatements } from './row-statements.ts'

test('rows are cut into a few sizes, in their order, each size with one text', () => {
  const insert = new RowStatements('INSERT INTO t VALUES ', 2, ' RETURNING a')
  const rows = Array.from({ length: 7 }, (_, n) => [n, `${n}`])
  const statements = insert.of(rows)
  assert.deepEqual(
    statements.map(({ values }) => values.length / 2),
    [6, 1],
  )
  assert.deepEqual(
    statements.flatMap(({ values }) => values),
    rows.flat(),
  )
  assert.equal(
    insert.of(rows.slice(0, 2))[0]?.chunks.join('?'),
    'INSERT INTO t VALUES (?, ?), (?, ?) RETURNING a',
  )
  assert.equal(insert.of(rows)[0]?.chunks, statements[0]?.chunks)
  assert.deepEqual(insert.of([]), [])
  assert.deepEqual(
    insert.of(Array.from({ length: 300 }, () => [1, 2])).map(({ values }) => values.length / 2),
    [256, 32, 12],
  )
})

test('however many rows there are, an engine meets sixteen texts', () => {
  const insert = new RowStatements('INSERT INTO t VALUES ', 2, '')
  const texts = new Set<string>()
  for (let rows = 1; rows <= 1000; rows += 1) {
    for (const { chunks } of insert.of(Array(rows).fill([1, 2]))) texts.add(chunks.join('?'))
  }
  assert.equal(texts.size, 16)
})
