import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from './csv.ts'

test('CSV has quoted fields with commas, line ends and doubled quotes', () => {
  const text = '\uFEFFa,b\r\n"1, 2","say ""hi""\nthere"\n\n x , "y" \nlast,'
  assert.deepEqual(parseCsv(text), [
    ['a', 'b'],
    ['1, 2', 'say "hi"\nthere'],
    ['x', 'y'],
    ['last', ''],
  ])
  assert.deepEqual(parseCsv(''), [])
})
