/** What the job deletes at the limit and keeps one past it, on both engines. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '../../kernel/units.ts'
import type { Database } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { auditModule } from '../audit/module.ts'
import { AuditStore } from '../audit/public.ts'
import { verifyTrail } from '../audit/reading.ts'
import { agedUsage } from '../billing/aged-usage.ts'
import { agedNotices } from '../gateway/aged-notices.ts'
import type { Aged } from '../module.ts'
import { SettingStore } from '../settings/public.ts'
import { agedMonths } from '../sim/aged-months.ts'
import { agedMessages } from '../sms/aged-messages.ts'
import { agedUsage as agedSiteUsage } from '../webaccel/aged-usage.ts'
import { retentionJob } from './job.ts'

const NOW = TEST_NOW.getTime()
const daysAgo = (days: number) => new Date(NOW - days * DAY_MS)

const insert = (
  database: Database,
  table: string,
  rows: readonly Record<string, string | number | null>[],
) =>
  database.write((tx) =>
    tx.insertMany(
      table,
      Object.keys(rows[0] ?? {}),
      rows.map((row) => Object.values(row)),
    ),
  )

const countOf = async (database: Database, table: string) => {
  const query = raw(`SELECT count(*) AS total FROM ${table}`)
  return (await database.read((tx) => tx.first<{ total: number }>(query)))?.total
}

const run = (database: Database, aged: readonly Aged[]) =>
  retentionJob(aged).run(database, TEST_NOW)
const due = (database: Database, aged: readonly Aged[]) =>
  retentionJob(aged).nextDue?.(database, TEST_NOW)

const notice = (id: number, at: Date, status = 'sent') => ({
  ...{ id, account_id: 'a', gateway_id: 'g', gateway_name: 'g', channel: 'mail', target: null },
  ...{ month: '202604', quota_mb: 1, used_bytes: 1, status, attempts: 1 },
  created_at: at.getTime(),
})

for (const engine of engines) {
  describe(`retention on ${engine.name}`, () => {
    const opened = async (t: { after(close: () => Promise<void>): void }) => {
      const database = await engine.open()
      t.after(() => database.close())
      return database
    }

    test('deletes notices past their days in batches, and none that waits', async (t) => {
      const database = await opened(t)
      const old = Array.from({ length: 1_000 }, (_, n) => notice(n, daysAgo(402)))
      await insert(database, 'gateway_notice', [
        ...old,
        notice(1_999, new Date(NOW - 400 * DAY_MS - 1)),
        notice(2_000, daysAgo(400)),
        notice(2_001, daysAgo(900), 'waiting'),
      ])
      assert.ok(((await due(database, [agedNotices])) ?? TEST_NOW) <= TEST_NOW)
      assert.equal(await run(database, [agedNotices]), '1001 rows deleted')
      assert.equal(await countOf(database, 'gateway_notice'), 2)
      assert.ok(((await due(database, [agedNotices])) ?? TEST_NOW) > TEST_NOW)
      await database.write((tx) => new SettingStore(tx).set('notice_days', 399))
      assert.equal(await run(database, [agedNotices]), '1 rows deleted')
    })

    test('keeps usage that is not billed, and totals of months that are not over for long', async (t) => {
      const database = await opened(t)
      const all = [...agedUsage, ...agedMonths, agedSiteUsage]
      assert.equal(await due(database, all), undefined)
      const month = Date.parse('2023-01-01T00:00:00+09:00')
      const count = (event: string, at: number) => ({
        ...{ resource_id: 'r', product: 1, event, account_id: 'a', month: at, quantity: 1 },
        ...{ from_at: at, to_at: at },
      })
      await insert(database, 'usage_count', [count('old', month), count('new', NOW)])
      await insert(database, 'usage_span', [
        { account_id: 'a', resource_id: 'r', product: 1, from_at: month, to_at: month + DAY_MS },
        { account_id: 'a', resource_id: 'r', product: 2, from_at: month, to_at: null },
      ])
      const sums = (at: string) => ({ month: at, uplink_bytes: 1, downlink_bytes: 1 })
      // 800 days before the first of April 2026 is the 22nd of January 2024.
      const months = ['202312', '202401', '202604']
      await insert(
        database,
        'sim_month',
        months.map((at) => ({ sim_id: 's', ...sums(at) })),
      )
      await insert(
        database,
        'network_month',
        months.map((at) => ({ network_id: 'n', network_kind: 'gateway', shard: 0, ...sums(at) })),
      )
      assert.equal(await run(database, all), '2 rows deleted')
      assert.deepEqual(
        [await countOf(database, 'sim_month'), await countOf(database, 'network_month')],
        [2, 2],
      )
      assert.ok(((await due(database, all)) ?? TEST_NOW) > TEST_NOW)
      const row = sql`INSERT INTO usage_period (id, open_month, billed_until) VALUES (1, ${NOW}, ${NOW})`
      await database.write((tx) => tx.run(row))
      assert.equal(await run(database, all), '2 rows deleted')
      assert.deepEqual(
        [await countOf(database, 'usage_count'), await countOf(database, 'usage_span')],
        [1, 1],
      )
      assert.ok(((await due(database, all)) ?? TEST_NOW) > TEST_NOW)
    })

    test('deletes messages with their reports, and none that is under way', async (t) => {
      const database = await opened(t)
      const account = { id: 'a', code: 'a', name: 'a', class: 'account', member_code: 'a' }
      await insert(database, 'account', [{ ...account, member_class: 'member', created_at: 0 }])
      const message = (id: string, at: Date, status: string) => ({
        ...{ id, serial: Number(id), account_id: 'a', item_id: 'i', destination: '1' },
        ...{ encoding: 'x', segments: 1, status, retry_count: 0, sent_at: at.getTime() },
        expires_at: 0,
      })
      await insert(database, 'sms_message', [
        message('1', new Date(NOW - 400 * DAY_MS - 1), 'Delivered'),
        message('2', daysAgo(400), 'Failed'),
        message('3', daysAgo(900), 'Accepted'),
      ])
      const report = (serial: number) => ({
        ...{ serial, message_id: String(serial), report_id: 'x', status: 'x' },
        ...{ reported_at: 0, received_at: 0 },
      })
      await insert(database, 'sms_report', [report(1), report(2)])
      assert.equal(await run(database, [agedMessages]), '1 rows deleted')
      assert.deepEqual(
        [await countOf(database, 'sms_message'), await countOf(database, 'sms_report')],
        [2, 1],
      )
      assert.ok(((await due(database, [agedMessages])) ?? TEST_NOW) > TEST_NOW)
    })

    test('cuts the audit trail off at its beginning, and the rest is still a chain', async (t) => {
      const database = await opened(t)
      const aged = auditModule.aged ?? []
      const times = [...Array.from({ length: 700 }, () => daysAgo(401)), daysAgo(400), TEST_NOW]
      await database.write(async (tx) => {
        for (const at of times) {
          await new AuditStore(tx).insert({
            ...{ at, caller: 'operator', account: undefined, address: '', client: undefined },
            ...{ operation: 'x', target: {}, status: 200, code: undefined, serial: 's' },
          })
        }
      })
      // What is not chained yet stays.
      assert.equal(await run(database, aged), '0 rows deleted')
      const [chain] = auditModule.jobs ?? []
      await chain?.run(database, TEST_NOW)
      assert.equal(await run(database, aged), '700 rows deleted')
      const { first, last } = await database.read((tx) => new AuditStore(tx).ends())
      assert.deepEqual([first.number, last.number], [700, 702])
      const { verification } = await verifyTrail(database)
      assert.deepEqual([verification.problem, verification.checked], [undefined, 2])
      assert.ok(((await due(database, aged)) ?? TEST_NOW) > TEST_NOW)
    })
  })
}
