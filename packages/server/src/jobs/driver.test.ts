import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { type Alarm, type Clock, FrozenClock } from '../kernel/clock.ts'
import type { Job } from '../kernel/job.ts'
import { silentLog } from '../kernel/log.ts'
import { SeededRandom } from '../kernel/random.ts'
import type { Database } from '../storage/database.ts'
import { sql } from '../storage/sql.ts'
import { engines, TEST_NOW, type TestEngine } from '../testing/engines.ts'
import { JobDriver } from './driver.ts'
import { LeaseStore } from './lease.ts'

const later = (seconds: number) => new Date(TEST_NOW.getTime() + seconds * 1000)

async function open(t: TestContext, engine: TestEngine) {
  const database = await engine.open()
  const clock = new FrozenClock(TEST_NOW)
  const drivers: JobDriver[] = []
  t.after(async () => {
    for (const driver of drivers) await driver.stop()
    await database.close()
  })
  const realTime = new Intervals()
  const begin = async (jobs: readonly Job<Database>[], seed = 'a') => {
    const driver = new JobDriver({
      ...{ database, clock, jobs },
      random: new SeededRandom(seed),
      log: silentLog,
      every: realTime.every,
    })
    drivers.push(driver)
    await driver.start()
    return driver
  }
  const start: typeof begin = async (jobs, seed) => {
    const driver = await begin(jobs, seed)
    await clock.advanceTo(clock.now())
    return driver
  }
  return { database, clock, realTime, begin, start }
}

/** Real time that passes when the test says so. */
class Intervals {
  readonly #works = new Map<() => unknown, number>()

  readonly every = (milliseconds: number, work: () => unknown): Alarm => {
    this.#works.set(work, milliseconds)
    return { cancel: () => this.#works.delete(work) }
  }

  /** Those of the length, or of renewals. Answers with how many fired, when their work is done. */
  async pass(milliseconds = 20_000): Promise<number> {
    const due = [...this.#works].filter(([, length]) => length === milliseconds)
    return (await Promise.all(due.map(([work]) => work()))).length
  }
}

/** A job whose run lasts until the test or the driver ends it. */
function longJob() {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const ended = Promise.withResolvers<string>()
  const job: Job<Database> = {
    name: 'long',
    everySeconds: 1000,
    run(_database, _now, signal) {
      begun.resolve(signal)
      signal?.addEventListener('abort', () => ended.resolve('aborted'))
      return ended.promise
    },
  }
  return { job, begun: begun.promise, end: ended.resolve }
}

const someoneElse = (until: Date) => sql`
  UPDATE job SET owner = 'someone else', lease = lease + 1, leased_until = ${until}`

const jobRow = (database: Database) =>
  database.read((tx) =>
    tx.first<{ owner: string | null; leased_until: number; runs: number }>(
      sql`SELECT owner, leased_until, runs FROM job`,
    ),
  )

for (const engine of engines) {
  describe(`JobDriver on ${engine.name}`, () => {
    test('measures the lag from when a job was due, or from its last run where that was later', async (t) => {
      const { database, clock, start } = await open(t, engine)
      let due: Date | undefined = later(0)
      const job: Job<Database> = {
        ...{ name: 'late', nextDue: async () => due },
        async run() {
          due = undefined
          return 'done'
        },
      }
      const driver = await start([job])
      const lag = async () => (await driver.results()).map(({ lagSeconds }) => lagSeconds)
      assert.deepEqual(await lag(), [0])
      await driver.stop()
      await clock.advanceTo(later(100))
      due = later(40)
      assert.deepEqual(await lag(), [60])
      // How some jobs say "now".
      due = new Date(0)
      assert.deepEqual(await lag(), [100])
      await database.write((tx) => new LeaseStore(tx).take('late', 'x', later(50), later(200)))
      assert.deepEqual(await lag(), [0], 'while it runs')
      await clock.advanceTo(later(50 + 600))
      assert.deepEqual(await lag(), [650], 'when it runs for too long')
      await database.write((tx) => tx.run(sql`UPDATE job SET started_at = ${later(9999)}`))
      assert.deepEqual(await lag(), [650], 'when it began on a clock that was ahead')
    })

    test('runs a job at start, then each time its period has passed', async (t) => {
      const { clock, start } = await open(t, engine)
      const times: Date[] = []
      const driver = await start([
        { name: 'tick', everySeconds: 60, run: async (_database, now) => String(times.push(now)) },
      ])
      assert.deepEqual(times, [TEST_NOW])
      const fired = await clock.advanceTo(later(180))
      assert.deepEqual(times, [TEST_NOW, later(60), later(120), later(180)])
      assert.deepEqual(
        fired.map(({ name }) => name),
        ['tick', 'tick', 'tick'],
      )
      const [result] = await driver.results()
      assert.deepEqual(
        [result?.runs, result?.failures, result?.outcome, result?.summary],
        [4, 0, 'ok', '4'],
      )
    })

    test('checks a steady job only when no run is planned, however often it is woken', async (t) => {
      const { clock, start } = await open(t, engine)
      let due: Date | undefined
      let checks = 0
      const job: Job<Database> = {
        name: 'steady',
        steady: true,
        nextDue: async () => {
          checks += 1
          return due
        },
        run: async () => {
          due = undefined
          return 'done'
        },
      }
      const driver = await start([job])
      due = later(60)
      driver.wake('steady')
      await clock.advanceTo(later(1))
      const before = checks
      for (let n = 0; n < 5; n += 1) driver.wake('steady')
      await clock.advanceTo(later(2))
      assert.equal(checks, before)
      driver.wakeAll()
      await clock.advanceTo(later(3))
      assert.ok(checks > before)
      await clock.advanceTo(later(60))
      assert.equal(due, undefined)
      due = later(90)
      driver.wake('steady')
      await clock.advanceTo(later(90))
      assert.equal(due, undefined)
    })

    test('lets a job that is due all the time rest between its runs, on a clock that runs', async (t) => {
      const { database, clock } = await open(t, engine)
      const running: Clock = {
        ...{ mode: 'scaled', scale: 1, now: () => clock.now() },
        at: (when, name, work) => clock.at(when, name, work),
      }
      const times: Date[] = []
      const run = async (_database: Database, now: Date) => String(times.push(now))
      const job = { name: 'busy', restSeconds: 5, nextDue: async () => TEST_NOW, run }
      const random = new SeededRandom('a')
      const driver = new JobDriver({
        database,
        clock: running,
        random,
        log: silentLog,
        jobs: [job],
      })
      t.after(() => driver.stop())
      await driver.start()
      await clock.advanceTo(later(11))
      assert.deepEqual(times, [TEST_NOW, later(5), later(10)])
    })

    test('runs a job at the very time that it names, and not before', async (t) => {
      const { clock, start } = await open(t, engine)
      let due: Date | undefined
      const times: Date[] = []
      const driver = await start([
        {
          name: 'due',
          nextDue: async () => due,
          async run(_database, now) {
            times.push(now)
            due = undefined
            return 'done'
          },
        },
      ])
      assert.deepEqual(times, [])
      due = later(90)
      driver.wake('due')
      await clock.advanceTo(later(600))
      assert.deepEqual(times, [later(90)])
    })

    test('checks every job again when all of them are woken, and at none before the start', async (t) => {
      const { database, clock, start } = await open(t, engine)
      let runs = 0
      let due: Date | undefined
      const job: Job<Database> = {
        name: 'due',
        nextDue: async () => due,
        run: async () => {
          runs += 1
          due = undefined
          return ''
        },
      }
      const idle = new JobDriver({
        database,
        clock,
        random: new SeededRandom('x'),
        log: silentLog,
        jobs: [job],
      })
      due = TEST_NOW
      idle.wakeAll()
      await clock.advanceTo(later(1))
      assert.equal(runs, 0)
      const driver = await start([job])
      assert.equal(runs, 1)
      due = later(2)
      driver.wakeAll()
      await clock.advanceTo(later(2))
      assert.equal(runs, 2)
    })

    test('keeps a failure, shows it, and tries again', async (t) => {
      const { clock, start } = await open(t, engine)
      let attempts = 0
      const driver = await start([
        {
          name: 'flaky',
          everySeconds: 3600,
          async run() {
            attempts += 1
            if (attempts === 1) throw new Error('no luck')
            return 'luck'
          },
        },
      ])
      const [failed] = await driver.results()
      assert.deepEqual(
        [failed?.outcome, failed?.summary, failed?.failures],
        ['failed', 'no luck', 1],
      )
      await clock.advanceTo(later(5))
      const [mended] = await driver.results()
      assert.deepEqual([mended?.outcome, mended?.summary, mended?.runs], ['ok', 'luck', 2])
    })

    test('does not run a job that another process is running, until its lease ends', async (t) => {
      const { database, clock, start } = await open(t, engine)
      const runs: Date[] = []
      const job: Job<Database> = {
        name: 'single',
        everySeconds: 1000,
        run: async (_database, now) => String(runs.push(now)),
      }
      await start([job])
      await database.write((tx) =>
        tx.run(sql`UPDATE job SET owner = 'someone else', leased_until = ${later(1030)}`),
      )
      await clock.advanceTo(later(1029))
      assert.deepEqual(runs, [TEST_NOW])
      await clock.advanceTo(later(1030))
      assert.deepEqual(runs, [TEST_NOW, later(1030)])
    })

    test('does not end the lease of another when a run lasts too long', async (t) => {
      const { database, clock, begin } = await open(t, engine)
      const { job, begun, end } = longJob()
      await begin([job])
      await begun
      await database.write((tx) => tx.run(someoneElse(later(30))))
      end('late')
      await clock.advanceTo(clock.now())
      assert.deepEqual(await jobRow(database), {
        owner: 'someone else',
        leased_until: later(30).getTime(),
        runs: 0,
      })
    })

    test('renews the lease of a run while it lasts, and only then', async (t) => {
      const { database, clock, realTime, begin } = await open(t, engine)
      const { job, begun, end } = longJob()
      await begin([job])
      const signal = await begun
      // As a process sees it whose lease is about to expire.
      await database.write((tx) => tx.run(sql`UPDATE job SET leased_until = ${later(1)}`))
      assert.equal(await realTime.pass(), 1)
      assert.equal((await jobRow(database))?.leased_until, later(60).getTime())
      assert.equal(signal?.aborted, false)
      end('done')
      await clock.advanceTo(clock.now())
      assert.equal(await realTime.pass(), 0)
      assert.deepEqual(await jobRow(database), { owner: null, leased_until: 0, runs: 1 })
    })

    test('aborts a run that has lost its lease, and runs the job again later', async (t) => {
      const { database, clock, realTime, begin } = await open(t, engine)
      const { job, begun } = longJob()
      const driver = await begin([job])
      const signal = await begun
      await database.write((tx) => tx.run(someoneElse(later(3))))
      await realTime.pass()
      assert.equal(signal?.aborted, true)
      await clock.advanceTo(later(5))
      const [result] = await driver.results()
      assert.deepEqual([result?.runs, result?.startedAt], [1, later(5)])
    })

    test('aborts the runs under way when it is stopped', async (t) => {
      const { begin } = await open(t, engine)
      const { job, begun } = longJob()
      const driver = await begin([job])
      await begun
      await driver.stop()
      assert.equal((await driver.results())[0]?.summary, 'aborted')
    })

    test('runs once more when it is woken during a run', async (t) => {
      const { clock, start } = await open(t, engine)
      const seen: string[] = []
      const holder: { driver?: JobDriver } = {}
      holder.driver = await start([
        {
          name: 'again',
          everySeconds: 1000,
          async run() {
            seen.push('run')
            if (seen.length === 2) holder.driver?.wake('again')
            return ''
          },
        },
      ])
      await clock.advanceTo(later(1000))
      assert.equal(seen.length, 3)
    })
  })
}

describe('JobDriver on sqlite', () => {
  test('takes up a job at once that a crash left leased', async (t) => {
    const [sqlite] = engines
    assert.ok(sqlite)
    const { database, start } = await open(t, sqlite)
    await database.write((tx) =>
      tx.run(
        sql`INSERT INTO job (name, owner, leased_until, runs, failures) VALUES ('left', 'dead', ${later(60)}, 0, 0)`,
      ),
    )
    let runs = 0
    await start([
      {
        name: 'left',
        everySeconds: 10,
        run: async () => {
          runs += 1
          return String(runs)
        },
      },
    ])
    assert.equal(runs, 1)
  })
})
