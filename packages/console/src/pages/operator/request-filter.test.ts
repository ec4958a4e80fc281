import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filterOf, isWanted, partsOf, type RequestRow } from './request-filter.ts'

const row: RequestRow = {
  ...{ serial: 's1', time: '', method: 'GET', operation: 'itemRead', account: 'demo' },
  ...{ path: '/cloud/zone/is1a/api/cloud/1.1/commonserviceitem/9', status: 404, duration_ms: 1 },
  client: null,
}
const isShown = (query: Record<string, string>, changes: Partial<RequestRow> = {}) =>
  isWanted({ ...row, ...changes }, filterOf(query), 'console')

test('the console’s own calls are shown when they are asked for', () => {
  assert.equal(isShown({}), true)
  assert.equal(isShown({}, { client: 'console' }), false)
  assert.equal(isShown({ console: '1' }, { client: 'console' }), true)
  assert.equal(isShown({}, { client: 'curl' }), true)
})

test('requests are chosen by status, operation, account and words', () => {
  assert.equal(isShown({ show: 'refused' }), true)
  assert.equal(isShown({ show: 'failed' }), false)
  assert.equal(isShown({ show: 'failed' }, { status: 500 }), true)
  assert.equal(isShown({ show: 'done' }), false)
  assert.equal(isShown({ show: 'done' }, { status: 200 }), true)
  assert.equal(isShown({ operation: 'itemList' }), false)
  assert.equal(isShown({ account: 'acme' }), false)
  assert.equal(isShown({ account: 'demo', operation: 'itemRead', q: 'ITEM 404' }), true)
  assert.equal(isShown({ q: 'gateway' }), false)
  assert.equal(isShown({ changes: '1' }), false)
  assert.equal(isShown({ changes: '1' }, { method: 'PUT' }), true)
})

test('a path is told from its query', () => {
  assert.deepEqual(partsOf('/a/b'), ['/a/b', ''])
  assert.deepEqual(partsOf('/a/b?q=/1?2'), ['/a/b', '?q=/1?2'])
})
