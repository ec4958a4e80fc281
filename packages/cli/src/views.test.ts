import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
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

test('keys are shown with their rights in short words, and until when and from where they work', () => {
  const { view } = shownAs({ noun: 'key', verb: 'list', operation: 'keyList', summary: '' })
  const key = {
    ...{ token: 't', permission: 'view', external: ['bill', 'cdn'], created_at: 'c', note: 'CI' },
    ...{ rights: { en: 'May read.', ja: '参照' }, expires_at: null, last_used_at: 'u' },
    allowed_addresses: ['192.0.2.0/24', '::1'],
  }
  const { columns, cells } = rowsOf([key], view, undefined)
  assert.deepEqual(columns, [
    ...['token', 'permission', 'external'],
    ...['works from', 'ends', 'last used', 'note'],
  ])
  assert.deepEqual(cells, [['t', 'view', 'bill, cdn', '192.0.2.0/24, ::1', '', 'u', 'CI']])
})

describe('the audit trail is shown with time, operation, who, target and status first', () => {
  const entry = {
    ...{ id: 7, number: null, time: 't', caller: 'key demo-…', account: 'demo', address: '::1' },
    ...{ client: null, operation: 'simTagsSet', status: 404, code: 'not_found', serial: 's' },
    target: { zone: 'is1a', sim_id: '910000000000', created: '9' },
  }
  const { view, list } = shownAs({
    ...{ noun: 'audit', verb: 'list', operation: 'auditList', summary: '' },
  })

  test('to the operator, on the last page, too', () => {
    const rows = rowsOf(list?.({ entries: [entry], next: null }) ?? [], view, undefined)
    assert.deepEqual(rows.columns, [
      ...['time', 'operation', 'who', 'target', 'status', 'account', 'address', 'serial'],
      ...['code', 'id', 'number', 'client'],
    ])
    const target = 'sim_id=910000000000, created=9'
    assert.deepEqual(rows.cells, [
      [
        't',
        'simTagsSet',
        'key demo-…',
        target,
        '404',
        'demo',
        '::1',
        's',
        'not_found',
        '7',
        '',
        '',
      ],
    ])
  })

  test('where nothing matches, as an empty list', () => {
    assert.deepEqual(list?.({ entries: [], next: null }), [])
  })

  test('to an account', () => {
    const own = shownAs({
      ...{ noun: 'own-audit', verb: 'list', operation: 'ownAuditList', summary: '' },
    })
    const { account: _account, number: _number, ...members } = entry
    const row = Object.fromEntries(
      Object.entries(members).map(([name, value]) => [
        name === 'id' ? 'ID' : `${name[0]?.toUpperCase()}${name.slice(1)}`,
        value,
      ]),
    )
    const rows = rowsOf(own.list?.({ AuditEntries: [row], Next: 7 }) ?? [], own.view, undefined)
    assert.deepEqual(rows.columns, [
      ...['Time', 'Operation', 'Who', 'Target', 'Status', 'Address', 'Serial', 'Code'],
      ...['ID', 'Client'],
    ])
    assert.deepEqual(rows.cells[0]?.slice(0, 5), [
      ...['t', 'simTagsSet', 'key demo-…', 'sim_id=910000000000, created=9', '404'],
    ])
  })
})
