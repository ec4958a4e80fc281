import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesInCsv } from './resources.ts'

test('a bill has the names of what it is for', () => {
  const titles = Array.from({ length: 16 }, (_, at) => `"title ${at}"`).join(',')
  const row = (id: string, name: string) =>
    Array.from({ length: 16 }, (_, at) => `"${{ 7: id, 13: name }[at] ?? 'x'}"`).join(',')
  const csv = `${titles}\r\n${row('113', 'meter-1')}\r\n${row('114', 'a ""b"", c')}\r\n`
  assert.deepEqual(
    [...namesInCsv(csv)],
    [
      ['113', 'meter-1'],
      ['114', 'a "b", c'],
    ],
  )
})
