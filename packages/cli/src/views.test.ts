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
