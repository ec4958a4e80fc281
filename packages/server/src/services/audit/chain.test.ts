/** The chain in the database, and what reads it, on both engines. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AuditEntry } from '../../kernel/audit-entry.ts'
import type { Database } from '../../storage/database.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import { openCloud, type TestCloud } from '../../testing/cloud.ts'
import { engines } from '../../testing/engines.ts'
import { auditJob } from './jobs.ts'
import { exportLines } from './reading.ts'
import { ORIGIN } from './rules.ts'
import { AuditStore } from './store.ts'

const entry = (n: number, account = 'acme'): AuditEntry => ({
  ...{ at: new Date(1_000 * n), caller: 'operator', account, address: '192.0.2.1' },
  ...{ client: undefined, operation: n % 2 ? 'odd' : 'even', target: { id: String(n) } },
  ...{ status: 200, code: undefined, serial: `serial${n}` },
})

const insert = (database: Database, ...entries: readonly AuditEntry[]) =>
  database.write(async (tx) => {
    for (const one of entries) await new AuditStore(tx).insert(one)
  })

const runJob = (database: Database) => auditJob.run(database, new Date(0))
const change = (database: Database, statement: Sql) => database.write((tx) => tx.run(statement))
const verify = async ({ operator }: TestCloud) => (await operator('GET', '/audit/verify')).body

/** As many as three batches of the job. */
const MANY = 1_001

for (const engine of engines) {
  describe(`the chain of the audit trail on ${engine.name}`, () => {
    test('is appended to in batches, misses no row that comes late, and is checked', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { database } = cloud
      const empty = { ok: true, problem: null, checked: 0, deleted: 0, waiting: 0, is_ok: true }
      const nothing = { number: 0, hash: '0'.repeat(64) }
      assert.deepEqual(await verify(cloud), { ...empty, last: nothing })
      await insert(database, ...Array.from({ length: MANY }, (_, n) => entry(n)))
      assert.equal((await verify(cloud)).waiting, MANY)
      assert.equal(await runJob(database), `${MANY} entries chained`)
      // Its id was given out before those that are chained.
      await insert(database, entry(5_000))
      await change(database, sql`UPDATE audit SET id = -1 WHERE serial = 'serial5000'`)
      await runJob(database)
      const { last, ...rest } = await verify(cloud)
      assert.deepEqual(rest, { ...empty, checked: MANY + 1 })
      assert.equal(last.number, MANY + 1)
    })

    test('is one chain when two processes append at once', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { database } = cloud
      await insert(database, ...Array.from({ length: 20 }, (_, n) => entry(n)))
      await Promise.allSettled([runJob(database), runJob(database), insert(database, entry(20))])
      await runJob(database)
      const { ok, checked } = await verify(cloud)
      assert.deepEqual([ok, checked], [true, 21])
    })

    test('shows a row that was changed, that was deleted, and an end that was cut off', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { database } = cloud
      await insert(database, ...Array.from({ length: 6 }, (_, n) => entry(n + 1)))
      await runJob(database)
      const problemAfter = async (statement: Sql) => {
        await change(database, statement)
        const { ok, problem } = await verify(cloud)
        assert.equal(ok, false)
        return `${problem.number} ${problem.kind}`
      }
      const cut = sql`DELETE FROM audit WHERE chain_number = 6`
      assert.equal(await problemAfter(cut), '6 missing')
      const changed = sql`UPDATE audit SET account = 'other' WHERE chain_number = 4`
      assert.equal(await problemAfter(changed), '4 changed')
      const deleted = sql`DELETE FROM audit WHERE chain_number = 3`
      assert.equal(await problemAfter(deleted), '3 missing')
      await change(database, raw('UPDATE audit SET chain_number = -1 WHERE chain_number = 1'))
      await change(database, raw('UPDATE audit SET chain_number = 1 WHERE chain_number = 2'))
      const swapped = raw('UPDATE audit SET chain_number = 2 WHERE chain_number = -1')
      assert.equal(await problemAfter(swapped), '1 changed')
    })

    test('shows a row that cannot be read any more, beside all others', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { database, operator } = cloud
      await insert(database, ...Array.from({ length: 4 }, (_, n) => entry(n + 1)))
      await runJob(database)
      const broken = [
        sql`UPDATE audit SET at = ${Number.MAX_SAFE_INTEGER} WHERE chain_number = 3`,
        sql`UPDATE audit SET target = 'null' WHERE chain_number = 2`,
        sql`UPDATE audit SET target = '{"id":' WHERE chain_number = 1`,
      ]
      for (const [index, statement] of broken.entries()) {
        await change(database, statement)
        const { ok, problem } = await verify(cloud)
        assert.deepEqual([ok, problem], [false, { number: 3 - index, kind: 'changed' }])
      }
      const { entries } = (await operator('GET', '/audit')).body
      assert.deepEqual(
        entries.map(({ number, target }: { number: number; target: object }) => [number, target]),
        [
          [3, { id: '3' }],
          [4, { id: '4' }],
          [2, { unreadable: 'null' }],
          [1, { unreadable: '{"id":' }],
        ],
      )
      assert.equal((await operator('GET', '/audit.jsonl')).text.trimEnd().split('\n').length, 4)
    })

    test('shows a row that was put in before its beginning or after its end', async (t) => {
      const cloud = await openCloud(t, { engine })
      const { database } = cloud
      await insert(database, ...Array.from({ length: 6 }, (_, n) => entry(n + 1)))
      await runJob(database)
      await database.write((tx) => new AuditStore(tx).deleteBefore(new Date(3_000), MANY))
      assert.equal((await verify(cloud)).ok, true)
      for (const number of [-4, 2, 8, 7]) {
        await insert(database, entry(9))
        const put = sql`UPDATE audit SET chain_number = ${number}, hash = 'x' WHERE chain_number IS NULL`
        await change(database, put)
        const problem = number === 8 ? { number: 7, kind: 'missing' } : { number, kind: 'changed' }
        assert.deepEqual((await verify(cloud)).problem, problem)
        await change(database, sql`DELETE FROM audit WHERE chain_number = ${number}`)
      }
      assert.equal((await verify(cloud)).ok, true)
    })

    test('is exported as JSON lines that can be checked, and gone on with', async (t) => {
      const { operator, database } = await openCloud(t, { engine })
      const all = Array.from({ length: MANY }, (_, n) => entry(n, n === 3 ? 'other' : 'acme'))
      await insert(database, ...all)
      await runJob(database)
      const { text, headers } = await operator('GET', '/audit.jsonl')
      assert.equal(headers['content-type'], 'application/x-ndjson')
      const lines = text.trimEnd().split('\n')
      assert.equal(lines.length, MANY)
      assert.match(lines[0] ?? '', /^\{"number":1,"previous":"0{64}","time":"1970-01-01T00:00:00/)
      const rest = (await operator('GET', `/audit.jsonl?after=${MANY - 2}`)).text
      assert.equal(rest, `${lines.slice(-2).join('\n')}\n`)
      const own = (await operator('GET', '/audit.jsonl?account=other')).text
      assert.equal(own, `${lines[3]}\n`)
      assert.equal((await operator('GET', '/audit.jsonl?after=x')).status, 400)
      assert.equal((await operator('GET', `/audit.jsonl?after=${MANY}`)).text, '')
      const beyond = await operator('GET', `/audit.jsonl?after=${MANY + 1}`)
      assert.equal(beyond.status, 400)
      assert.match(beyond.body.error_msg, new RegExp(`its last one is ${MANY}\\.`))
      await change(database, raw('DELETE FROM audit WHERE chain_number = 2'))
      const gap = (await operator('GET', '/audit.jsonl')).text.split('\n', 2)
      assert.deepEqual([gap[0], JSON.parse(gap[1] ?? '').number], [lines[0], 3])
    })

    test('ends an export with an error when what it would read next is deleted', async (t) => {
      const { database } = await openCloud(t, { engine })
      await insert(database, ...Array.from({ length: MANY }, (_, n) => entry(n)))
      await runJob(database)
      const lines = exportLines(database, ORIGIN, undefined)
      assert.equal((await lines.next()).value?.trimEnd().split('\n').length, 500)
      await database.write((tx) => new AuditStore(tx).deleteBefore(new Date(600_000), MANY))
      await assert.rejects(lines.next(), /Entries were deleted meanwhile/)
    })

    test('is due since the oldest row that is not chained', async (t) => {
      const { database, clock } = await openCloud(t, { engine })
      const due = () => auditJob.nextDue?.(database, clock.now())
      assert.equal(await due(), undefined)
      await insert(database, entry(7), entry(8), entry(9))
      assert.deepEqual(await due(), new Date(7_000))
      await runJob(database)
      assert.equal(await due(), undefined)
    })
  })
}
