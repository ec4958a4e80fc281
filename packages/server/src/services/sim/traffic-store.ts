import { japanMonth } from '../../kernel/datetime.ts'
import { type Span, stepOf } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import { type History, historySteps } from './history-rules.ts'
import { HistoryStore } from './history-store.ts'
import {
  addTraffic,
  type NetworkKey,
  NO_TRAFFIC,
  type Session,
  type Traffic,
} from './session-rules.ts'
import {
  COUNTER_MAX,
  dayOf,
  mergeSteps,
  NETWORK_SHARDS,
  packDay,
  type Step,
  unpackDay,
} from './traffic-rules.ts'

interface TrafficRow {
  uplink_bytes: number | null
  downlink_bytes: number | null
}

interface StepRow {
  step: number
  uplink_bytes: number
  downlink_bytes: number
}

const added = (column: string) =>
  `${column} = CASE WHEN total.${column} + excluded.${column} > ${COUNTER_MAX} THEN ${COUNTER_MAX}
     ELSE total.${column} + excluded.${column} END`

const ADD = raw(`DO UPDATE SET ${added('uplink_bytes')}, ${added('downlink_bytes')}`)

/** What was sent and received, by step, by SIM and month, and by network and month. */
export class TrafficStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async add(session: Session, added: Traffic, at: Date): Promise<void> {
    const { uplinkBytes, downlinkBytes } = added
    // Without waiting in between: each is a way to the database and back.
    await Promise.all([
      this.#tx.run(
        sql`INSERT INTO traffic_step AS total (sim_id, step, uplink_bytes, downlink_bytes)
          VALUES (${session.simId}, ${stepOf(at)}, ${uplinkBytes}, ${downlinkBytes})
          ON CONFLICT (sim_id, step) ${ADD}`,
      ),
      this.#addToMonth(session, added, japanMonth(at)),
    ])
  }

  /** Many at once go into the records of their days directly; the journal is for what comes one by one. */
  async addSteps(session: Session, steps: readonly Step[], sum: Traffic): Promise<void> {
    const [first] = steps
    if (first === undefined) return
    if (steps.length === 1) return this.add(session, sum, new Date(first.at))
    await this.#addToDays(session.simId, steps)
    await this.#addToMonth(session, sum, japanMonth(new Date(first.at)))
  }

  async #addToMonth(session: Session, added: Traffic, month: string): Promise<void> {
    const { simId, network } = session
    const { uplinkBytes, downlinkBytes } = added
    await Promise.all([
      this.#tx.run(
        sql`INSERT INTO sim_month AS total (sim_id, month, uplink_bytes, downlink_bytes)
          VALUES (${simId}, ${month}, ${uplinkBytes}, ${downlinkBytes})
          ON CONFLICT (sim_id, month) ${ADD}`,
      ),
      this.#tx.run(
        sql`INSERT INTO network_month AS total
            (network_id, network_kind, month, shard, uplink_bytes, downlink_bytes)
          VALUES (${network.id}, ${network.kind}, ${month}, ${Number(simId) % NETWORK_SHARDS},
                  ${uplinkBytes}, ${downlinkBytes})
          ON CONFLICT (network_id, network_kind, month, shard) ${ADD}`,
      ),
    ])
  }

  /** Of pasts that are computed; their months have no rows yet. */
  async insertMonths(
    pasts: readonly { history: History; sums: ReadonlyMap<string, Traffic> }[],
  ): Promise<void> {
    const months = pasts.flatMap(({ history, sums }) =>
      [...sums].map(([month, traffic]) => ({ ...history, ...traffic, month })),
    )
    await this.#tx.insertMany(
      'sim_month',
      ['sim_id', 'month', 'uplink_bytes', 'downlink_bytes'],
      months.map((one) => [one.simId, one.month, one.uplinkBytes, one.downlinkBytes]),
    )
    const byNetwork = Map.groupBy(months, ({ network, month }) =>
      JSON.stringify([network.id, network.kind, month]),
    )
    await this.#tx.insertMany(
      'network_month',
      ['network_id', 'network_kind', 'month', 'shard', 'uplink_bytes', 'downlink_bytes'],
      [...byNetwork].map(([key, parts]) => {
        const { uplinkBytes, downlinkBytes } = parts.reduce(addTraffic, NO_TRAFFIC)
        return [...JSON.parse(key), 0, uplinkBytes, downlinkBytes]
      }),
    )
  }

  async monthOfSims(simIds: readonly string[], at: Date): Promise<ReadonlyMap<string, Traffic>> {
    const rows = await this.#tx.all<TrafficRow & { sim_id: string }>(
      sql`SELECT sim_id, uplink_bytes, downlink_bytes FROM sim_month
          WHERE month = ${japanMonth(at)} AND sim_id IN ${list(simIds)}`,
    )
    return new Map(rows.map((row) => [row.sim_id, toTraffic(row)]))
  }

  async monthOfNetwork({ kind, id }: NetworkKey, at: Date): Promise<Traffic> {
    const row = await this.#tx.first<TrafficRow>(
      sql`SELECT sum(uplink_bytes) AS uplink_bytes, sum(downlink_bytes) AS downlink_bytes
          FROM network_month
          WHERE network_id = ${id} AND network_kind = ${kind} AND month = ${japanMonth(at)}`,
    )
    return row === undefined ? NO_TRAFFIC : toTraffic(row)
  }

  /** The steps within the span that have data, oldest first; of a simulated past too, which is computed. */
  async listSteps(simId: string, { from, to }: Span): Promise<Step[]> {
    const history = await new HistoryStore(this.#tx).find(simId)
    const days = await this.#tx.all<{ day: number; steps: string }>(
      sql`SELECT day, steps FROM traffic_day
          WHERE sim_id = ${simId} AND day >= ${dayOf(from)} AND day < ${to}`,
    )
    const packed = days.flatMap(({ day, steps }) => unpackDay(day, steps))
    return mergeSteps(
      history === undefined ? [] : historySteps(history, { from, to }),
      packed.filter(({ at }) => at >= from && at < to),
      await this.#journal(simId, from, to),
    )
  }

  async #journal(simId: string, from: number, to: number): Promise<Step[]> {
    const rows = await this.#tx.all<StepRow>(
      sql`SELECT step, uplink_bytes, downlink_bytes FROM traffic_step
          WHERE sim_id = ${simId} AND step >= ${from} AND step < ${to}`,
    )
    return rows.map((row) => ({
      at: row.step,
      uplinkBytes: row.uplink_bytes,
      downlinkBytes: row.downlink_bytes,
    }))
  }

  async oldestStep(): Promise<number | undefined> {
    const row = await this.#tx.first<{ step: number | null }>(
      raw('SELECT min(step) AS step FROM traffic_step'),
    )
    return row?.step ?? undefined
  }

  async oldestDay(): Promise<number | undefined> {
    const row = await this.#tx.first<{ day: number | null }>(
      raw('SELECT min(day) AS day FROM traffic_day'),
    )
    return row?.day ?? undefined
  }

  async simsWithStepsBefore(step: number, most: number): Promise<string[]> {
    const rows = await this.#tx.all<{ sim_id: string }>(
      sql`SELECT DISTINCT sim_id FROM
            (SELECT sim_id FROM traffic_step WHERE step < ${step} ORDER BY step LIMIT ${most}) AS old`,
    )
    return rows.map(({ sim_id }) => sim_id)
  }

  /** Moves the SIM's steps before this one from the journal into the records of their days. */
  async pack(simId: string, before: number): Promise<number> {
    const steps = await this.#journal(simId, 0, before)
    await this.#addToDays(simId, steps)
    await this.#tx.run(sql`DELETE FROM traffic_step WHERE sim_id = ${simId} AND step < ${before}`)
    return steps.length
  }

  async #addToDays(simId: string, steps: readonly Step[]): Promise<void> {
    for (const [day, added] of Map.groupBy(steps, ({ at }) => dayOf(at))) {
      const stored = await this.#tx.first<{ steps: string }>(
        sql`SELECT steps FROM traffic_day WHERE sim_id = ${simId} AND day = ${day}`,
      )
      const known = stored === undefined ? [] : unpackDay(day, stored.steps)
      const merged = packDay(mergeSteps(known, added))
      await this.#tx.run(
        sql`INSERT INTO traffic_day (sim_id, day, steps) VALUES (${simId}, ${day}, ${merged})
            ON CONFLICT (sim_id, day) DO UPDATE SET steps = excluded.steps`,
      )
    }
  }

  async deleteDaysBefore(time: number, most: number): Promise<number> {
    return this.#tx.run(
      sql`DELETE FROM traffic_day WHERE (sim_id, day) IN
            (SELECT sim_id, day FROM traffic_day WHERE day < ${time} ORDER BY day LIMIT ${most})`,
    )
  }
}

/** Of the calendar month in Japan. */
export function networkTraffic(tx: Tx, network: NetworkKey, at: Date): Promise<Traffic> {
  return new TrafficStore(tx).monthOfNetwork(network, at)
}

function toTraffic(row: TrafficRow): Traffic {
  return { uplinkBytes: row.uplink_bytes ?? 0, downlinkBytes: row.downlink_bytes ?? 0 }
}
