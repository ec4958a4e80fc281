/**
 * Bills on the clock: at each midnight in Japan the running month's, on the first the final ones of the
 * month before. It sleeps while nothing is in use (docs/adr/0022-metering.md). Each account's bill is made in
 * a transaction of its own. One that fails is kept for another try, the others are made, and the run fails at its end.
 */
import { japanDayStart, japanMonthStart, nextJapanMonthStart } from '../../kernel/datetime.ts'
import type { Job } from '../../kernel/job.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/units.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Account, AccountStore } from '../account/public.ts'
import {
  BILLING_JOB,
  isAnythingUsed,
  oldestUse,
  type Period,
  PeriodStore,
} from '../metering/public.ts'
import { type Making, makeBill } from './making.ts'
import { BillRetryStore } from './retry-store.ts'

/** A bill that could not be made is tried again then. */
const RETRY_MS = HOUR_MS
/** Before every clock that there can be. */
const EVER = new Date(-8_640_000_000_000_000)
const BEGINNING: Period = { openMonth: EVER, closingMonth: undefined, billedUntil: EVER }

export const billingJob: Job<Database> = {
  name: BILLING_JOB,
  // It is due at the next midnight at the latest once anything is in use.
  steady: true,
  nextDue: (database) =>
    database.read(async (tx) => {
      const retry = await new BillRetryStore(tx).nextDue()
      const regular = await nextRegular(tx)
      if (retry === undefined || regular === undefined) return retry ?? regular
      return retry < regular ? retry : regular
    }),
  async run(database, now, signal) {
    const run: Run = { database, now, signal, problems: [] }
    let closed = 0
    for (;;) {
      const month = await database.write((tx) => closeNext(tx, now))
      if (month === undefined) break
      await makeBills(run, { month, until: nextJapanMonthStart(month), isFinal: true })
      await database.write((tx) => closeDone(tx, month))
      closed += 1
    }
    const month = japanMonthStart(now)
    const until = japanDayStart(now)
    const lines = until > month ? await makeBills(run, { month, until, isFinal: false }) : 0
    await database.write(async (tx) => {
      await new PeriodStore(tx).set({ ...(await periodOf(tx)), billedUntil: until })
    })
    await retryBills(run)
    if (run.problems.length > 0) {
      throw new AggregateError(run.problems, run.problems.map(({ message }) => message).join(' '))
    }
    return `${closed} months closed, ${lines} lines of the running month`
  },
}

interface Run {
  readonly database: Database
  readonly now: Date
  readonly signal: AbortSignal | undefined
  /** One for each bill that could not be made. */
  readonly problems: Error[]
}

async function nextRegular(tx: Tx): Promise<Date | undefined> {
  const { openMonth, closingMonth, billedUntil } = await periodOf(tx)
  if (closingMonth !== undefined) return closingMonth
  if (!(await isAnythingUsed(tx, openMonth))) return undefined
  return new Date(billedUntil.getTime() + DAY_MS)
}

async function periodOf(tx: Tx): Promise<Period> {
  return (await new PeriodStore(tx).find()) ?? BEGINNING
}

/**
 * The next month that is over and has usage, or the one that a crash has left. From this transaction on
 * nobody counts into it any more, so that its bills can be made in steps.
 */
async function closeNext(tx: Tx, now: Date): Promise<Date | undefined> {
  const period = await periodOf(tx)
  if (period.closingMonth !== undefined) return period.closingMonth
  const oldest = await oldestUse(tx, period.openMonth)
  if (oldest === undefined) return undefined
  const month = oldest < period.openMonth ? period.openMonth : japanMonthStart(oldest)
  const next = nextJapanMonthStart(month)
  if (next > now) return undefined
  await new PeriodStore(tx).set({ ...period, openMonth: next, closingMonth: month })
  return month
}

async function closeDone(tx: Tx, month: Date): Promise<void> {
  const period = await periodOf(tx)
  if (period.closingMonth?.getTime() !== month.getTime()) return
  await new PeriodStore(tx).set({ ...period, closingMonth: undefined })
}

/** Answers with the number of lines of those that could be made. */
async function makeBills(run: Run, making: Making): Promise<number> {
  let lines = 0
  for (const account of await run.database.read((tx) => new AccountStore(tx).list())) {
    lines += (await tryBill(run, account, making)) ?? 0
  }
  return lines
}

/** Those that failed in an earlier run. */
async function retryBills(run: Run): Promise<void> {
  const { database, now } = run
  const { openMonth } = await database.read(periodOf)
  for (const retry of await database.read((tx) => new BillRetryStore(tx).listDue(now))) {
    const { month } = retry
    const account = await database.read((tx) => new AccountStore(tx).findById(retry.accountId))
    const isFinal = month < openMonth
    const until = isFinal ? nextJapanMonthStart(month) : japanDayStart(now)
    const isMade =
      account === undefined ||
      (await tryBill(run, account, { month, until, isFinal })) !== undefined
    if (isMade) await database.write((tx) => new BillRetryStore(tx).delete(retry))
  }
}

/**
 * Undefined when it could not be made. That it has to be tried again is written at once: when the database itself
 * fails, so does this, and the run ends instead of failing for every account.
 */
async function tryBill(run: Run, account: Account, making: Making): Promise<number | undefined> {
  const { database, now, signal, problems } = run
  signal?.throwIfAborted()
  try {
    return await database.write((tx) => makeBill(tx, account, making))
  } catch (cause) {
    const { id: accountId, code } = account
    const { month } = making
    const reason = cause instanceof Error ? cause.message : String(cause)
    problems.push(new Error(`The bill of ${code} could not be made: ${reason}`, { cause }))
    const dueAt = new Date(now.getTime() + RETRY_MS)
    await database.write((tx) => new BillRetryStore(tx).set({ accountId, month }, dueAt))
    return undefined
  }
}
