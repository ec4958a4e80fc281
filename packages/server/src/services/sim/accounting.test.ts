import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { SeededRandom } from '../../kernel/random.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { raw, type Sql } from '../../storage/sql.ts'
import { engines, type TestEngine } from '../../testing/engines.ts'
import { iccidOf, openSims } from '../../testing/sims.ts'
import { Accounting } from './accounting.ts'
import type { PacketEntry } from './accounting-entries.ts'
import type { AccountingKind } from './accounting-rules.ts'
import { imsiOf } from './card-rules.ts'
import { Carriers } from './carriers.ts'
import type { Elements } from './elements.ts'

const ELEMENTS = ['pgw-1', 'pgw-2']
const elements: Elements = {
  find: async () =>
    ELEMENTS.map((name) => ({ name, address: '', carriers: { 44010: 'carrier-b' } })),
  heard: async () => undefined,
}
const SESSIONS = 3
const INTERIMS = 6

async function open(t: TestContext, engine: TestEngine, sims: number) {
  const cloud = await openSims(t, engine)
  for (let n = 0; n < sims; n += 1) await cloud.ready(n)
  const { networks, clock } = cloud
  const carriers = new Carriers(['carrier-a', 'carrier-b', 'carrier-c'])
  const parts = { networks, carriers, elements, wake: () => undefined }
  const database: Database = cloud.database
  const packet = (
    n: number,
    session: number,
    kind: AccountingKind,
    used: number,
    seconds: number,
  ): PacketEntry => ({
    ...{ type: 'packet', subscriber: { imsi: imsiOf(iccidOf(n)), number: undefined } },
    element: { name: ELEMENTS[session % ELEMENTS.length], address: undefined },
    ...{ acctSessionId: `${n}-${session}`, mccMnc: '44010', now: clock.now() },
    packet: {
      ...{ kind, used: { uplinkBytes: used, downlinkBytes: 2 * used }, isTimed: true },
      at: new Date(clock.now().getTime() - 300_000 + seconds * 1000),
      ...{ imei: undefined, ip: undefined },
    },
  })
  return { ...cloud, database, parts, packet, accounting: new Accounting(database, parts) }
}

/** Everything that bytes are counted in, and the log, in a form that can be compared. */
async function figures(database: Database) {
  const sums = ['traffic_step', 'sim_month', 'network_month', 'account_step'].map(
    (table) =>
      `SELECT '${table}' AS name, sum(uplink_bytes) AS up, sum(downlink_bytes) AS down FROM ${table}`,
  )
  return database.read(async (tx) => ({
    sums: await tx.all<{ name: string; up: number; down: number }>(raw(sums.join(' UNION ALL '))),
    billed: await tx.first<{ bytes: number }>(
      raw(`SELECT sum(quantity) AS bytes FROM usage_count`),
    ),
    live: await tx.all(raw('SELECT sim_id FROM session')),
    events: await tx.all<{ event: string; count: number }>(
      raw('SELECT event, count(*) AS count FROM session_log GROUP BY event ORDER BY event'),
    ),
  }))
}

/** In another order for each seed. */
function shuffled<T>(all: readonly T[], seed: string): T[] {
  const random = new SeededRandom(seed)
  return all
    .map((one) => ({ one, key: random.bytes(6).readUIntBE(0, 6) }))
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => one)
}

for (const engine of engines) {
  describe(`accounting in batches on ${engine.name}`, () => {
    test('has exact totals whatever is repeated and reordered, and replays change nothing', async (t) => {
      const sims = 20
      const { accounting, database, packet } = await open(t, engine, sims)
      const packets: PacketEntry[] = []
      for (let n = 0; n < sims; n += 1) {
        for (let session = 0; session < SESSIONS; session += 1) {
          const from = session * 90
          packets.push(packet(n, session, 'start', 0, from))
          for (let step = 1; step <= INTERIMS; step += 1) {
            packets.push(packet(n, session, 'interim', step * 100 + n, from + step * 10))
          }
          packets.push(packet(n, session, 'stop', 1000 + n, from + 80))
        }
      }
      const send = (seed: string) =>
        Promise.all(
          shuffled([...packets, ...packets, ...packets], seed).map((one) => accounting.submit(one)),
        )
      await send('first')
      const up = SESSIONS * Array.from({ length: sims }, (_, n) => 1000 + n).reduce((a, b) => a + b)
      const found = await figures(database)
      for (const sum of found.sums) assert.deepEqual([sum.up, sum.down], [up, 2 * up], sum.name)
      assert.equal(found.billed?.bytes, 3 * up)
      assert.deepEqual(found.live, [])
      const [created, deleted] = found.events
      assert.equal(created?.count, deleted?.count)
      await send('again')
      assert.deepEqual(await figures(database), found)
    })

    test('takes a handful of statements for a hundred packets', async (t) => {
      const { database, parts, packet } = await open(t, engine, 100)
      let statements = 0
      const count =
        <A extends [Sql], R>(method: (...args: A) => R) =>
        (...args: A): R => {
          statements += 1
          return method(...args)
        }
      const counted: Database = {
        engine: database.engine,
        read: (work) => database.read(work),
        write: (work) =>
          database.write((tx: Tx) => {
            Object.assign(tx, {
              all: count(tx.all.bind(tx)),
              first: count(tx.first.bind(tx)),
              run: count(tx.run.bind(tx)),
            })
            return work(tx)
          }),
        exclusive: (work) => database.exclusive(work),
        close: () => database.close(),
      }
      // The test's own network counts one by one; a gateway's does not.
      const networks = { ...parts.networks, countedTogether: async () => undefined }
      const accounting = new Accounting(counted, { ...parts, networks })
      const all = (kind: AccountingKind, used: number) =>
        Promise.all(
          Array.from({ length: 100 }, (_, n) => accounting.submit(packet(n, 0, kind, used, n))),
        )
      await all('start', 0)
      statements = 0
      await all('interim', 500)
      assert.ok(statements <= 20, `${statements} statements`)
    })

    test('lets one bad packet harm no other', async (t) => {
      const { accounting, database, packet } = await open(t, engine, 3)
      const broken = packet(1, 0, 'start', 0, 0)
      const results = await Promise.allSettled([
        accounting.submit(packet(0, 0, 'interim', 100, 0)),
        // No parser gives such a number, and no engine stores it.
        accounting.submit({
          ...broken,
          packet: { ...broken.packet, used: { uplinkBytes: Number.NaN, downlinkBytes: 1 } },
        }),
        accounting.submit({
          type: 'added',
          iccid: iccidOf(9),
          added: { uplinkBytes: 1, downlinkBytes: 1 },
          now: new Date(0),
        }),
        accounting.submit(packet(2, 0, 'interim', 100, 0)),
      ])
      assert.deepEqual(
        results.map(({ status }) => status),
        ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
      )
      const { sums } = await figures(database)
      for (const { name, up } of sums) assert.equal(up, 200, name)
    })
  })
}
