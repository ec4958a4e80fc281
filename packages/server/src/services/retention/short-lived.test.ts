/** Rows that count for a day or less are deleted in small batches, too, on both engines. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Job } from '../../kernel/job.ts'
import { DAY_MS, MINUTE_MS } from '../../kernel/units.ts'
import { ChangeCount, counting } from '../../storage/changes.ts'
import type { Database } from '../../storage/database.ts'
import { raw, type SqlValue, sql } from '../../storage/sql.ts'
import { engines, TEST_NOW } from '../../testing/engines.ts'
import { forgetJob } from '../iot/forget-job.ts'
import { sweepJob } from '../iot/sweep-job.ts'
import { SettingStore } from '../settings/public.ts'
import { historyJobs } from '../sim/jobs.ts'
import { smsJob } from '../sms/jobs.ts'
import { EmbeddedNetwork } from '../sms/network.ts'
import { useNonce } from '../webaccel/digest-use-store.ts'

const NOW = TEST_NOW.getTime()
/** Two full batches, and one that is not. */
const OLD = 1_001
const BATCH = 500

const noBlobs = {} as Parameters<typeof sweepJob>[0]
const [, forgetHistory] = historyJobs(() => undefined)

/** The same database; how many rows each transaction has changed is in `sizes`. */
function watched(database: Database, sizes: number[]): Database {
  return {
    engine: database.engine,
    read: (work, waiter) => database.read(work, waiter),
    exclusive: (work) => database.exclusive(work),
    close: () => database.close(),
    async write(work, waiter) {
      const count = new ChangeCount()
      const result = await counting(database, count).write(work, waiter)
      sizes.push(Object.values(count.changes).reduce((sum, rows) => sum + rows, 0))
      return result
    },
  }
}

const ROWS: readonly {
  readonly table: string
  readonly keptMs: number
  readonly row: (nth: number, at: number) => Record<string, SqlValue>
  readonly job: (database: Database) => Job<Database> | undefined
}[] = [
  {
    table: 'sms_network_message',
    keptMs: DAY_MS,
    row: (nth, at) => ({ reference: `r${nth}`, reported: 1, taken_at: at }),
    job: (database) => smsJob([new EmbeddedNetwork(database, false).reporting]),
  },
  {
    table: 'sms_report',
    keptMs: DAY_MS,
    row: (nth, at) => ({
      ...{ serial: nth, message_id: null, reference: `r${nth}`, report_id: 'x', status: 'x' },
      ...{ reported_at: at, received_at: at },
    }),
    job: () => smsJob([]),
  },
  {
    table: 'iot_incoming_seen',
    keptMs: 10 * MINUTE_MS,
    row: (nth, at) => ({ adapter_id: 'a', webhook_id: `w${nth}`, number: nth, seen_at: at }),
    job: () => forgetJob,
  },
  {
    table: 'iot_upload_token',
    keptMs: 0,
    row: (nth, at) => ({ hash: `h${nth}`, project_id: 'p', name: 'n', expires_at: at }),
    job: () => sweepJob(noBlobs),
  },
  {
    table: 'pass_code_failure',
    keptMs: 10 * MINUTE_MS,
    row: (nth, at) => ({ account_id: 'a', iccid: `i${nth}`, failed_at: at }),
    job: () => forgetHistory,
  },
  {
    table: 'ended_session',
    keptMs: 31 * DAY_MS,
    row: (nth, at) => ({
      ...{ element: 'e', acct_session_id: `a${nth}`, sim_id: 's', imei: '', carrier: '' },
      ...{ uplink_bytes: 0, downlink_bytes: 0, ended_at: at, cause: 'lost' },
    }),
    job: () => forgetHistory,
  },
  {
    table: 'traffic_history',
    keptMs: 62 * DAY_MS,
    row: (nth, at) => ({
      ...{ sim_id: `s${nth}`, iccid: 'i', seed: 's', network_id: 'n', network_kind: 'gateway' },
      ...{ from_step: at, until_step: at + 1 },
    }),
    job: () => forgetHistory,
  },
]

for (const engine of engines) {
  describe(`short-lived rows on ${engine.name}`, () => {
    for (const { table, keptMs, row, job: jobOf } of ROWS) {
      test(`of ${table} are deleted in batches, and one that is just old enough stays`, async (t) => {
        const database = await engine.open()
        t.after(() => database.close())
        const old = Array.from({ length: OLD }, (_, nth) => row(nth, NOW - keptMs - 2))
        const rows = [...old, row(OLD, NOW - keptMs)]
        const columns = Object.keys(rows[0] ?? {})
        const values = rows.map((one) => Object.values(one))
        await database.write((tx) => tx.insertMany(table, columns, values))
        const sizes: number[] = []
        const job = jobOf(watched(database, sizes))
        assert.ok(job)
        await job.run(watched(database, sizes), TEST_NOW)
        assert.deepEqual(
          sizes.filter((size) => size > 0),
          [BATCH, BATCH, 1],
        )
        const left = raw(`SELECT count(*) AS total FROM ${table}`)
        assert.deepEqual(await database.read((tx) => tx.first(left)), { total: 1 })
        // Otherwise it would run again and again without anything to do.
        const due = await job.nextDue?.(database, TEST_NOW)
        assert.ok(due === undefined || due > TEST_NOW, due?.toISOString())
      })
    }

    test('of ended_session are kept as long as the setting says', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const ended = (id: string, at: number) => [...['e', id, 's', '', '', 0, 0, at, 'lost']]
      const columns = ['element', 'acct_session_id', 'sim_id', 'imei', 'carrier']
      const rows = [ended('a', NOW - 7 * DAY_MS - 1), ended('b', NOW - 7 * DAY_MS)]
      await database.write((tx) =>
        tx.insertMany(
          'ended_session',
          [...columns, 'uplink_bytes', 'downlink_bytes', 'ended_at', 'cause'],
          rows,
        ),
      )
      assert.equal(await forgetHistory?.run(database, TEST_NOW), '0 rows forgotten')
      await database.write((tx) => new SettingStore(tx).set('ended_session_days', 7))
      assert.equal(await forgetHistory?.run(database, TEST_NOW), '1 rows forgotten')
    })

    test('of digest_use are deleted by the next use, a batch at a time', async (t) => {
      const database = await engine.open()
      t.after(() => database.close())
      const rows = Array.from({ length: BATCH + 1 }, (_, nth) => ['old', nth, NOW - 1])
      const columns = ['nonce', 'nonce_count', 'expires_at']
      await database.write((tx) => tx.insertMany('digest_use', columns, rows))
      const left = async () =>
        (await database.read((tx) => tx.all(sql`SELECT nonce FROM digest_use`))).length
      const later = new Date(NOW + DAY_MS)
      assert.equal(await useNonce(database, 'new', 1, later, TEST_NOW), true)
      assert.equal(await left(), 2)
      assert.equal(await useNonce(database, 'new', 1, later, TEST_NOW), false)
      assert.equal(await left(), 1)
    })
  })
}
