import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RefusalError } from '@kumoi/client'
import { refusalAt } from './world-refusal.ts'

const refusal = (message: string) =>
  new RefusalError('worldApply', {
    ...{ ok: false, status: 400, code: 'bad_request', message, serial: 'a' },
  })

describe('the refusal of a world file', () => {
  test('has the line that the server names, also in a name with colons', () => {
    const text = (file: string) => `The request is not valid.\n${file}:12: accounts[0] is: wrong.`
    for (const file of ['world.yaml', 'a: b:3.yaml']) {
      const expected = { line: 12, message: 'accounts[0] is: wrong.' }
      assert.deepEqual(refusalAt(refusal(text(file)), file), expected)
    }
  })

  test('is none of a line when the server names none, or another failed', () => {
    assert.equal(refusalAt(refusal('world.yaml: not valid.'), 'world.yaml'), undefined)
    assert.equal(refusalAt(refusal('Something else.'), 'world.yaml'), undefined)
    assert.equal(refusalAt(new Error('world.yaml:1: x'), 'world.yaml'), undefined)
  })
})
