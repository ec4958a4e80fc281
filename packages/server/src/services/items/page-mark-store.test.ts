import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MOST_LISTS, MOST_MARKS, PageMarkStore } from './page-mark-store.ts'

const mark = (at: number) => ({ at, id: String(at), name: '' })

test('a mark is the last one up to a position, of the same list in the same version', () => {
  const marks = new PageMarkStore()
  for (const at of [1020, 1060, 1040]) marks.note('a', '1', mark(at))
  assert.equal(marks.find('a', '1', 1019), undefined)
  assert.deepEqual(marks.find('a', '1', 1059), mark(1040))
  assert.deepEqual(marks.find('a', '1', 5000), mark(1060))
  assert.equal(marks.find('b', '1', 5000), undefined)
  assert.equal(marks.find('a', '2', 5000), undefined)
})

test('marks of another version are forgotten', () => {
  const marks = new PageMarkStore()
  marks.note('a', '1', mark(1020))
  marks.note('a', '2', mark(1040))
  assert.equal(marks.find('a', '1', 5000), undefined)
  assert.deepEqual(marks.find('a', '2', 5000), mark(1040))
})

test('only so many marks and lists are kept, the newest', () => {
  const marks = new PageMarkStore()
  for (let n = 1; n <= MOST_MARKS + 1; n += 1) marks.note('a', '1', mark(n))
  assert.equal(marks.find('a', '1', 1), undefined)
  assert.deepEqual(marks.find('a', '1', 2), mark(2))
  for (let n = 1; n <= MOST_LISTS; n += 1) marks.note(`list ${n}`, '1', mark(1))
  assert.equal(marks.find('a', '1', 2), undefined)
  assert.deepEqual(marks.find('list 1', '1', 1), mark(1))
})
