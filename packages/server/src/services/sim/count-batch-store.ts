import type { AccountId, ItemId } from '../../kernel/ids.ts'
import { RowStatements } from '../../kernel/row-statements.ts'
import type { Tx } from '../../storage/database.ts'
import type { Sql } from '../../storage/sql.ts'
import type { NetworkKey, Session, Traffic } from './session-rules.ts'
import { ACCOUNT_SHARDS, COUNTER_MAX, NETWORK_SHARDS } from './traffic-rules.ts'

/** Bytes of a SIM, within one step and so within one month. */
export interface CountedStep extends Traffic {
  readonly simId: ItemId
  readonly accountId: AccountId
  readonly network: NetworkKey | undefined
  readonly step: number
  readonly month: string
}

const added = (column: string) =>
  `${column} = CASE WHEN total.${column} + excluded.${column} > ${COUNTER_MAX} THEN ${COUNTER_MAX}
     ELSE total.${column} + excluded.${column} END`
const ADD = `DO UPDATE SET ${added('uplink_bytes')}, ${added('downlink_bytes')}`
const BYTES = 'uplink_bytes, downlink_bytes'

const STEPS = new RowStatements(
  `INSERT INTO traffic_step AS total (sim_id, step, ${BYTES}) VALUES `,
  4,
  ` ON CONFLICT (sim_id, step) ${ADD}`,
)
const SIM_MONTHS = new RowStatements(
  `INSERT INTO sim_month AS total (sim_id, month, ${BYTES}) VALUES `,
  4,
  ` ON CONFLICT (sim_id, month) ${ADD}`,
)
const NETWORK_MONTHS = new RowStatements(
  `INSERT INTO network_month AS total (network_id, network_kind, month, shard, ${BYTES}) VALUES `,
  6,
  ` ON CONFLICT (network_id, network_kind, month, shard) ${ADD}`,
)
const ACCOUNT_STEPS = new RowStatements(
  `INSERT INTO account_step AS total (account_id, step, shard, ${BYTES}) VALUES `,
  5,
  ` ON CONFLICT (account_id, step, shard) ${ADD}`,
)
/** The types of values in a list of rows are not known to every engine. */
const number = (column: number) => `CAST(given.column${column} AS BIGINT)`
const SESSIONS = new RowStatements(
  `UPDATE session SET uplink_bytes = ${number(3)}, downlink_bytes = ${number(4)},
     counted_at = ${number(5)}, seen_at = ${number(6)}, acct_session_id = given.column7
   FROM (VALUES `,
  7,
  `) AS given WHERE session.sim_id = given.column1 AND session.id = ${number(2)}`,
)

/** Writes what many reports have added, a few statements for all of them. */
export class CountBatchStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async add(counted: readonly CountedStep[]): Promise<void> {
    const networks = counted.flatMap(({ network, ...one }) => (network ? { ...one, network } : []))
    // One row for all of them, and another one for the next batch: transactions seldom meet in one.
    const some = Number(counted[0]?.simId ?? 0)
    // Without waiting in between: each is a way to the database and back.
    await Promise.all([
      ...STEPS.of(summed(counted, ({ simId, step }) => [simId, step])).map(this.#run),
      ...SIM_MONTHS.of(summed(counted, ({ simId, month }) => [simId, month])).map(this.#run),
      ...NETWORK_MONTHS.of(
        summed(networks, ({ network: { id, kind }, month }) => [
          ...[id, kind, month, some % NETWORK_SHARDS],
        ]),
      ).map(this.#run),
      ...ACCOUNT_STEPS.of(
        summed(counted, ({ accountId, step }) => [accountId, step, some % ACCOUNT_SHARDS]),
      ).map(this.#run),
    ])
  }

  /** Their totals, when bytes were counted and their element heard, and how the element calls them. */
  async updateSessions(sessions: readonly Session[]): Promise<void> {
    const rows = sessions.map((session) => [
      ...[session.simId, session.id, ...bytes(session), session.countedAt.getTime()],
      ...[session.seenAt?.getTime() ?? null, session.element?.acctSessionId ?? null],
    ])
    await Promise.all(SESSIONS.of(rows).map(this.#run))
  }

  readonly #run = (query: Sql) => this.#tx.run(query)
}

/** One row for each key: a statement may change a row once. */
function summed<One extends Traffic>(
  all: readonly One[],
  keyOf: (one: One) => (string | number)[],
): (string | number)[][] {
  const rows = new Map<string, { key: (string | number)[]; up: number; down: number }>()
  for (const one of all) {
    const key = keyOf(one)
    const text = key.join(' ')
    const row = rows.get(text) ?? { key, up: 0, down: 0 }
    row.up += one.uplinkBytes
    row.down += one.downlinkBytes
    rows.set(text, row)
  }
  // In the order of their keys, so that two transactions do not wait for each other crosswise.
  return [...rows]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { key, up, down }]) => [
      ...key,
      Math.min(up, COUNTER_MAX),
      Math.min(down, COUNTER_MAX),
    ])
}

function bytes({ uplinkBytes, downlinkBytes }: Traffic): [number, number] {
  return [uplinkBytes, downlinkBytes]
}
