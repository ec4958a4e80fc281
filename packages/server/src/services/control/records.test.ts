import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Records } from './records.ts'

const LIMITS = { records: 3, bytes: 1_000_000 }
const heads = (records: Records) => Array.from(records.all(), ({ head }) => head)

describe('Records', () => {
  test('gives back what was put in, byte for byte, and what was missing as missing', () => {
    const records = new Records(LIMITS)
    assert.equal(records.add('あ', Buffer.from([0, 255]), '𩸽'), 1)
    assert.equal(records.add('', undefined, Buffer.alloc(0)), 2)
    assert.deepEqual(Array.from(records.all()), [
      { number: 1, head: 'あ', parts: [Buffer.from([0, 255]), Buffer.from('𩸽')] },
      { number: 2, head: '', parts: [undefined, Buffer.alloc(0)] },
    ])
  })

  test('keeps the last of so many', () => {
    const records = new Records(LIMITS)
    for (const head of ['a', 'b', 'c']) records.add(head, undefined, undefined)
    assert.deepEqual(heads(records), ['a', 'b', 'c'])
    assert.equal(records.add('d', undefined, undefined), 4)
    assert.deepEqual(heads(records), ['b', 'c', 'd'])
  })

  test('keeps so many bytes', () => {
    const records = new Records(LIMITS)
    records.add('a', Buffer.alloc(500_000), 'x')
    records.add('b', Buffer.alloc(499_999), undefined)
    assert.deepEqual(heads(records), ['a', 'b'])
    records.add('c', 'x', undefined)
    assert.deepEqual(heads(records), ['b', 'c'])
    records.add('d', Buffer.alloc(1_000_001), undefined)
    assert.deepEqual(heads(records), [])
  })

  test('goes on for ever, whatever the sizes', () => {
    const records = new Records({ records: 100, bytes: 2_000_000 })
    const kept: string[] = []
    for (let n = 0; n < 5000; n += 1) {
      const head = `${n} ${'x'.repeat((n * 7919) % 300)}`
      kept.push(head)
      records.add(head, 'あ'.repeat((n * 104_729) % 5000), undefined)
    }
    const found = heads(records)
    assert.ok(found.length > 50 && found.length <= 100)
    assert.deepEqual(found, kept.slice(-found.length))
  })
})
