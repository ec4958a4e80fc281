import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rowsOf } from './rows.ts'
import { shownAs } from './views.ts'

test('short messages are shown with their transport, and their reports in one cell', () => {
  const entry = { noun: 'sms', verb: 'outbox-list', operation: 'smsOutboxList', summary: '' }
  const { view, list } = shownAs(entry)
  const message = {
    ...{ messageId: 'm', destination: '81', text: 'code', status: 'Delivered', sentAt: 's' },
    ...{ transport: 'kannel', reference: 'r', uncertain: false, otp: '1' },
  }
  const reports = [
    { id: '8-x', status: 'Submitted' },
    { id: '1-x', status: 'Delivered' },
  ]
  const rows = rowsOf(list?.({ messages: [{ ...message, reports }] }) ?? [], view, undefined)
  const shown = Object.fromEntries(
    rows.columns.map((name, index) => [name, rows.cells[0]?.[index]]),
  )
  assert.deepEqual(shown, {
    ...{ messageId: 'm', destination: '81', text: 'code', status: 'Delivered', sentAt: 's' },
    ...{ transport: 'kannel', uncertain: 'false', reference: 'r' },
    reports: 'Submitted 8-x, Delivered 1-x',
  })
})

test('keys are shown with what they may do in words, and until when and from where they work', () => {
  const { view } = shownAs({ noun: 'key', verb: 'list', operation: 'keyList', summary: '' })
  const key = {
    ...{ token: 't', permission: 'view', external: [], created_at: 'c', note: 'CI' },
    ...{ rights: { en: 'May read.', ja: '参照' }, expires_at: null, last_used_at: 'u' },
    allowed_addresses: ['192.0.2.0/24', '::1'],
  }
  const { columns, cells } = rowsOf([key], view, undefined)
  assert.deepEqual(columns, ['token', 'may do', 'works from', 'ends', 'last used', 'note'])
  assert.deepEqual(cells, [['t', 'May read.', '192.0.2.0/24, ::1', '', 'u', 'CI']])
})
