/**
 * Bills on the clock: at each midnight in Japan the running month's, on the first the final ones of the
 * month before. It sleeps while nothing is in use (docs/adr/0103).
 */
import { japanDayStart, japanMonthStart, nextJapanMonthStart } from '../../kernel/datetime.ts'
import type { Job } from '../../kernel/job.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import {
  BILLING_JOB,
  isAnythingUsed,
  oldestUse,
  type Period,
  PeriodStore,
} from '../metering/public.ts'
import { type Making, makeBill } from './making.ts'

const DAY_MS = 86_400_000
/** Before every clock that there can be. */
const EVER = new Date(-8_640_000_000_000_000)
const BEGINNING: Period = { openMonth: EVER, closingMonth: undefined, billedUntil: EVER }

export const billingJob: Job<Database> = {
  name: BILLING_JOB,
  // It is due at the next midnight at the latest once anything is in use.
  steady: true,
  nextDue: (database) =>
    database.read(async (tx) => {
      const { openMonth, closingMonth, billedUntil } = await periodOf(tx)
      if (closingMonth !== undefined) return closingMonth
      if (!(await isAnythingUsed(tx, openMonth))) return undefined
      return new Date(billedUntil.getTime() + DAY_MS)
    }),
  async run(database, now) {
    let closed = 0
    for (;;) {
      const month = await database.write((tx) => closeNext(tx, now))
      if (month === undefined) break
      await makeBills(database, { month, until: nextJapanMonthStart(month), isFinal: true })
      await database.write((tx) => closeDone(tx, month))
      closed += 1
    }
    const month = japanMonthStart(now)
    const until = japanDayStart(now)
    const lines = until > month ? await makeBills(database, { month, until, isFinal: false }) : 0
    await database.write(async (tx) => {
      await new PeriodStore(tx).set({ ...(await periodOf(tx)), billedUntil: until })
    })
    return `${closed} months closed, ${lines} lines of the running month`
  },
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

/** A transaction an account: others can work in between, and what is made stays made. */
async function makeBills(database: Database, making: Making): Promise<number> {
  let lines = 0
  for (const account of await database.read((tx) => new AccountStore(tx).list())) {
    lines += await database.write((tx) => makeBill(tx, account, making))
  }
  return lines
}
