import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { AuditEntry } from '../../kernel/audit-entry.ts'
import { type Log, silentLog } from '../../kernel/log.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { LateEntries, REFUSALS_MAX, WAITING_MAX } from './late-entries.ts'
import { AuditStore } from './store.ts'

const entry = (caller: string, status = 403): AuditEntry => ({
  ...{ at: new Date(0), caller, account: 'acme', address: '192.0.2.1', client: undefined },
  ...{ operation: 'itemCreate', target: {}, status, code: undefined, serial: 'serial' },
})

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  t.after(() => database.close())
  const logged: string[] = []
  const log: Log = {
    ...silentLog,
    error: ({ entries }, message) => logged.push(`${entries} ${message}`),
  }
  let endMinute = () => {}
  const late = new LateEntries(database, log, (_milliseconds, work) => {
    endMinute = work
    return { cancel: () => undefined }
  })
  const countOf = async (caller: string) => {
    const entries = await database.read((tx) => new AuditStore(tx).list({}, undefined, 1_000))
    return entries.filter((one) => one.caller === caller).length
  }
  return { late, logged, countOf, endMinute: () => endMinute() }
}

for (const engine of engines) {
  describe(`refusals in the audit trail on ${engine.name}`, () => {
    test('are so many of a key in a minute, and one sum in the log', async (t) => {
      const { late, logged, countOf, endMinute } = await open(t, engine)
      for (let n = 0; n < REFUSALS_MAX + 5; n += 1) late.add(entry('noisy'), 'noisy')
      late.add(entry('noisy', 200), 'noisy')
      late.add(entry('other'), 'other')
      assert.deepEqual(logged, [])
      endMinute()
      assert.deepEqual(logged, ['5 refusals not in the audit trail'])
      late.add(entry('noisy'), 'noisy')
      await late.settled()
      // The call that succeeded, and the first of the next minute.
      assert.deepEqual([await countOf('noisy'), await countOf('other')], [REFUSALS_MAX + 2, 1])
      assert.equal(logged.length, 1)
    })
  })
}

test('entries that the database does not take are one sum in the log', async () => {
  const logged: unknown[] = []
  const log: Log = {
    ...silentLog,
    error: ({ entries }, message) => logged.push([entries, message]),
  }
  const full = { write: () => Promise.reject(new Error('The disk is full.')) }
  const late = new LateEntries(full, log)
  // Some are lost since too many wait.
  const all = WAITING_MAX + 600
  for (let n = 0; n < all; n += 1) late.add(entry('x'), String(n % 1_000))
  await late.settled()
  assert.deepEqual(logged, [[all, 'audit entries lost']])
})
