/** Whatever is used, and whenever bills are made: amounts are sums, and late is as good as in time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { parseId } from '../../kernel/ids.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { sized } from '../../testing/size.ts'
import { AccountStore } from '../account/public.ts'
import { Meter } from '../metering/public.ts'
import { gatewayIn, SIM_BASE, SMS_MESSAGE, simTrafficOf } from '../pricing/public.ts'
import { DetailStore } from './detail-store.ts'
import { billingJob } from './jobs.ts'
import { listBills } from './store.ts'

const START = new Date('2026-01-15T12:34:56.789+09:00')
const END = new Date('2026-07-01T00:00:00+09:00')
const ACCOUNTS = ['900000000001', '900000000002'].map((id) => {
  const parsed = parseId<'account'>(id)
  assert.ok(parsed)
  return parsed
})

const anyStep = fc.record({
  kind: fc.constantFrom('begin' as const, 'end' as const, 'count' as const, 'add' as const),
  account: fc.nat(1),
  resource: fc.nat(3),
  quantity: fc.nat(5_000_000_000),
  /** Minutes since the step before. */
  later: fc.nat(20_000),
})
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never

async function openAccounts(engine: TestEngine): Promise<Database> {
  const database = await engine.open()
  await database.write(async (tx) => {
    for (const id of ACCOUNTS) {
      const member = { code: `m${id}`, class: 'member' }
      const account = { id, code: id, name: id, class: 'account', member, createdAt: START }
      await new AccountStore(tx).insert(account)
    }
  })
  return database
}

/** `between` is what happens until the time of each step, and until the end. */
async function play(
  database: Database,
  steps: readonly Step[],
  between: (until: Date) => Promise<void>,
): Promise<void> {
  let at = START
  for (const [index, step] of steps.entries()) {
    at = new Date(at.getTime() + step.later * 60_000)
    if (at >= END) break
    await between(at)
    await database.write((tx) => report(tx, step, index, at))
    // The same report again adds nothing, but for sums, whose reporters know what they have reported.
    if (step.kind !== 'add') await database.write((tx) => report(tx, step, index, at))
  }
  await between(END)
}

async function report(tx: Tx, step: Step, index: number, at: Date): Promise<void> {
  const accountId = ACCOUNTS[step.account]
  assert.ok(accountId)
  const resourceId = `9${step.account}${step.resource}`
  const meter = new Meter(tx)
  const use = { accountId, resourceId, name: `r${step.resource}` }
  const timed = step.resource % 2 === 0 ? SIM_BASE : gatewayIn('is1b')
  if (step.kind === 'begin') await meter.begin({ ...use, product: timed }, at)
  if (step.kind === 'end') await meter.end(resourceId, at)
  if (step.kind === 'count') await meter.count({ ...use, product: SMS_MESSAGE }, `e${index}`, at)
  if (step.kind === 'add') await meter.add({ ...use, product: simTrafficOf(1) }, step.quantity, at)
}

async function runDue(database: Database, until: Date): Promise<void> {
  for (;;) {
    const due = await billingJob.nextDue?.(database, until)
    if (due === undefined || due > until) return
    // What is long due runs when it is looked at, which in these tests is a midnight.
    const midnight = new Date(Math.max(due.getTime(), START.getTime() - 45_296_789))
    await billingJob.run(database, midnight)
  }
}

function allBills(database: Database) {
  return database.read(async (tx) => {
    const all: object[] = []
    for (const { id, ...bill } of await listBills(tx, 0, 1000)) {
      const details = await new DetailStore(tx, id).list()
      const sum = details.reduce((total, { amount }) => total + amount, 0)
      assert.equal(bill.amount, sum)
      assert.ok(Number.isSafeInteger(sum))
      all.push({ ...bill, details })
    }
    return all.map((one) => JSON.stringify(one)).sort()
  })
}

for (const engine of engines) {
  describe(`bills of any usage on ${engine.name}`, () => {
    test('amount to the sum of their details, the same made daily or all at once at the end', async () => {
      const numRuns = engine.name === 'sqlite' ? sized(40, 15) : 3
      await fc.assert(
        fc.asyncProperty(fc.array(anyStep, { minLength: 1, maxLength: 25 }), async (steps) => {
          const daily = await openAccounts(engine)
          const late = await openAccounts(engine)
          try {
            await play(daily, steps, async (until) => {
              await runDue(daily, until)
              await allBills(daily)
            })
            await play(late, steps, async () => undefined)
            await billingJob.run(late, END)
            assert.deepEqual(await allBills(daily), await allBills(late))
          } finally {
            await daily.close()
            await late.close()
          }
        }),
        { numRuns },
      )
    })
  })
}
