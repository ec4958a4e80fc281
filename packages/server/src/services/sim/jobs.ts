/**
 * Keeps what the network leaves behind small: steps are packed into days, old rows go. Both jobs know
 * when there is something to do and sleep while there is nothing, so that a clock can be moved by years.
 */
import type { Job, Wake } from '../../kernel/job.ts'
import { nextMultiple, stepOf } from '../../kernel/steps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../kernel/units.ts'
import { inBatches } from '../../storage/aged-rows.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { SettingStore } from '../settings/public.ts'
import { WRONG_PASS_CODES_MINUTES, windowStart } from './card-rules.ts'
import { deleteFailures, oldestFailure } from './card-store.ts'
import { EndedStore } from './ended-store.ts'
import { HistoryStore } from './history-store.ts'
import { LogStore } from './log-store.ts'
import { TrafficStore } from './traffic-store.ts'

/** Rows in one transaction: a bound on how long others wait for it. */
const BATCH = 500
/** To be woken when bytes were counted. */
export const PACK_JOB = 'sim-traffic-pack'
/** To be woken when something was logged. */
export const FORGET_JOB = 'sim-history-forget'
/** To be woken when an element has a session. */
export const LOST_JOB = 'sim-sessions-lost'
/** To be woken when an element was let in or refused. */
export const SESSION_JOBS = [FORGET_JOB, LOST_JOB]

export function historyJobs(wake: Wake): readonly Job<Database>[] {
  return [packTrafficJob(() => wake(FORGET_JOB)), forgetHistoryJob]
}

/** On the hour, when there are steps that are old enough. */
function packDue(database: Database): Promise<Date | undefined> {
  return database.read(async (tx) => {
    const oldest = await new TrafficStore(tx).oldestStep()
    if (oldest === undefined) return undefined
    const hours = await new SettingStore(tx).get('traffic_journal_hours')
    return nextMultiple(oldest + hours * HOUR_MS, HOUR_MS)
  })
}

/** `packed` is told when there may be a new day, which may have to go before all that is known. */
function packTrafficJob(packed: () => void): Job<Database> {
  return {
    name: PACK_JOB,
    steady: true,
    nextDue: packDue,
    async run(database, now) {
      let steps = 0
      for (;;) {
        const some = await database.write((tx) => packSome(tx, now))
        steps += some
        if (some === 0) break
      }
      packed()
      return `${steps} steps packed`
    },
  }
}

async function packSome(tx: Tx, now: Date): Promise<number> {
  const store = new TrafficStore(tx)
  const hours = await new SettingStore(tx).get('traffic_journal_hours')
  const before = now.getTime() - hours * HOUR_MS
  let count = 0
  for (const simId of await store.simsWithStepsBefore(before, BATCH)) {
    count += await store.pack(simId, before)
  }
  return count
}

/** Once a day at most, when a row is old enough. */
function forgetDue(database: Database): Promise<Date | undefined> {
  return database.read(async (tx) => {
    const settings = new SettingStore(tx)
    const days = [await new TrafficStore(tx).oldestDay(), await new HistoryStore(tx).oldest()]
    const kept = (await settings.get('traffic_days')) * DAY_MS
    const log = await new LogStore(tx).oldest()
    const ended = await new EndedStore(tx).oldest()
    const failure = await oldestFailure(tx)
    const times = [
      ...days.map((day) => day && day + kept),
      log === undefined ? undefined : log + (await settings.get('session_log_days')) * DAY_MS,
      ended === undefined ? undefined : ended + (await settings.get('ended_session_days')) * DAY_MS,
      // Guesses count for minutes; that their rows go within a day is soon enough.
      failure === undefined ? undefined : failure + WRONG_PASS_CODES_MINUTES * MINUTE_MS,
    ].filter((time) => time !== undefined)
    return times.length === 0 ? undefined : nextMultiple(Math.min(...times), DAY_MS)
  })
}

const forgetHistoryJob: Job<Database> = {
  name: FORGET_JOB,
  nextDue: forgetDue,
  async run(database, now, signal) {
    const deleteSome = async (tx: Tx, most: number) => {
      const settings = new SettingStore(tx)
      const daysBefore = now.getTime() - (await settings.get('traffic_days')) * DAY_MS
      const logDays = await settings.get('session_log_days')
      const logBefore = new Date(now.getTime() - logDays * DAY_MS)
      const days = await new TrafficStore(tx).deleteDaysBefore(daysBefore, most)
      const endedDays = await settings.get('ended_session_days')
      const endedBefore = new Date(now.getTime() - endedDays * DAY_MS)
      const ended = await new EndedStore(tx).deleteBefore(endedBefore, most)
      const logged = await new LogStore(tx).deleteBefore(logBefore, most)
      const cut = await new HistoryStore(tx).forget(stepOf(new Date(daysBefore)), most)
      const failures = await deleteFailures(tx, windowStart(now), most)
      return days + ended + logged + cut + failures
    }
    return `${await inBatches(database, deleteSome, signal)} rows forgotten`
  },
}
