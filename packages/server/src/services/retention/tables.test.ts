/**
 * Every table either loses its old rows or is bounded by what there is. A new table that is in neither list fails
 * here: somebody would find out in a year otherwise, when the disk is full.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { tableNames } from '../../storage/truncate.ts'
import { engines } from '../../testing/engines.ts'
import { agedNotices } from '../gateway/aged-notices.ts'
import { agedMessages } from '../sms/aged-messages.ts'

/** Deleted by age: the setting of the world, or how long where that is no choice. */
const AGED: Readonly<Record<string, string>> = {
  account_step: 'traffic_days',
  audit: 'audit_days',
  digest_use: 'minutes',
  edge_answer: 'edge_event_hours',
  edge_event: 'edge_event_hours',
  element_request: 'session_log_days',
  ended_session: 'ended_session_days',
  gateway_notice: 'notice_days',
  gateway_step: 'traffic_days',
  iot_attempt: 'iot_message_hours',
  iot_delivery: 'iot_message_hours',
  iot_incoming_seen: 'ten minutes',
  iot_message: 'iot_message_hours',
  iot_upload_token: 'an hour',
  network_month: 'usage_days',
  pass_code_failure: 'minutes',
  refusal: 'session_log_days',
  session_log: 'session_log_days',
  sim_month: 'usage_days',
  site_hour: 'site_hour_days',
  site_usage: 'usage_days',
  sms_message: 'sms_message_days',
  sms_network_message: 'a day',
  sms_report: 'sms_message_days',
  traffic_day: 'traffic_days',
  traffic_history: 'traffic_days',
  traffic_step: 'traffic_journal_hours',
  usage_count: 'usage_days',
  usage_span: 'usage_days',
}

/** As many rows as there are resources, accounts, processes or files of a world, or one. */
const BOUNDED: ReadonlySet<string> = new Set([
  ...[
    'account',
    'acme_account',
    'acme_certificate',
    'acme_challenge',
    'api_key',
    'audit_chain',
    'bill_retry',
    'call_rate',
    'carrier',
  ],
  ...['demo_past', 'encryption_rotation', 'fleet', 'gateway', 'gateway_count'],
  ...['gateway_dns', 'gateway_sim_count', 'iot_adapter', 'iot_blob', 'iot_device_secret'],
  ...['iot_file', 'iot_project', 'iot_session', 'iot_sim', 'item', 'item_count', 'job'],
  ...['maintenance', 'maintenance_resource', 'network_element', 'network_element_count'],
  ...['outbox', 'price', 'session', 'setting', 'sim', 'sim_card', 'sim_card_range', 'sim_imsi'],
  ...['sim_route', 'site', 'site_authority', 'site_auto_certificate', 'site_certificate'],
  ...['switch', 'traffic_control', 'usage_period'],
])

/** They stay: bills, and the names that bills have. */
const KEPT: ReadonlySet<string> = new Set(['bill', 'bill_detail', 'metered_resource'])

describe('what is kept, and for how long', () => {
  for (const engine of engines) {
    test(`is said of every table on ${engine.name}`, async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const names = await database.read(tableNames)
      const forgotten = names.filter(
        (name) => !(name in AGED || BOUNDED.has(name) || KEPT.has(name)),
      )
      assert.deepEqual(forgotten, [], 'give it a retention, or say why it is bounded')
      assert.deepEqual(
        Object.keys(AGED).filter((name) => !names.includes(name)),
        [],
        'there is no such table',
      )
    })
  }

  test('is in the table of docs/operating.md', () => {
    const page = readFileSync(new URL('../../../../../docs/operating.md', import.meta.url), 'utf8')
    const section = page.split('## What is kept')[1]?.split('\n## ')[0] ?? ''
    for (const [table, kept] of Object.entries(AGED)) {
      const row = section.split('\n').find((line) => line.includes(`\`${table}\``))
      assert.ok(row, `${table} is in no row`)
      if (/_/.test(kept)) assert.ok(row.includes(`\`${kept}\``), `${table}: ${kept}`)
    }
  })

  test('is deleted with what belongs to it', () => {
    assert.deepEqual(agedMessages.tables, ['sms_message', 'sms_report'])
    assert.deepEqual(agedNotices.tables, ['gateway_notice'])
  })
})
