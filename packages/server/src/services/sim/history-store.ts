import type { AccountId } from '../../kernel/ids.ts'
import type { Span } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import { type History, summedSteps } from './history-rules.ts'
import type { NetworkKey } from './session-rules.ts'
import type { Step } from './traffic-rules.ts'

interface HistoryRow {
  sim_id: string
  iccid: string
  seed: string
  network_id: string
  network_kind: NetworkKey['kind']
  from_step: number
  until_step: number
}

const COLUMNS = ['sim_id', 'iccid', 'seed', 'network_id', 'network_kind', 'from_step', 'until_step']
const HISTORY = raw(COLUMNS.join(', '))

/** Which SIMs have a computed past. A row outlives its SIM: what passed through the gateway did so. */
export class HistoryStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async insert(histories: readonly History[]): Promise<void> {
    const rows = histories.map(({ simId, iccid, seed, network, span }) => [
      ...[simId, iccid, seed, network.id, network.kind, span.from, span.to],
    ])
    await this.#tx.insertMany('traffic_history', COLUMNS, rows)
  }

  async find(simId: string): Promise<History | undefined> {
    const [history] = await this.#list(sql`sim_id = ${simId}`)
    return history
  }

  listOf({ kind, id }: NetworkKey): Promise<History[]> {
    return this.#list(sql`network_id = ${id} AND network_kind = ${kind}`)
  }

  /** Few have a past, so that these rows are looked through and not the SIMs of the account. */
  listOfAccount(accountId: AccountId): Promise<History[]> {
    return this.#list(
      sql`EXISTS (SELECT 1 FROM sim
                  WHERE sim.id = traffic_history.sim_id AND sim.account_id = ${accountId})`,
    )
  }

  async #list(where: Sql): Promise<History[]> {
    const rows = await this.#tx.all<HistoryRow>(
      sql`SELECT ${HISTORY} FROM traffic_history WHERE ${where} ORDER BY sim_id`,
    )
    return rows.map((row) => ({
      simId: row.sim_id,
      iccid: row.iccid,
      seed: row.seed,
      network: { kind: row.network_kind, id: row.network_id },
      span: { from: row.from_step, to: row.until_step },
    }))
  }

  async oldest(): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      raw('SELECT min(from_step) AS oldest FROM traffic_history'),
    )
    return row?.oldest ?? undefined
  }

  /** Cuts off what is older, of at most so many; answers with how many that were. */
  async forget(before: number, most: number): Promise<number> {
    const over = await this.#tx.run(
      sql`DELETE FROM traffic_history WHERE sim_id IN
            (SELECT sim_id FROM traffic_history WHERE until_step <= ${before} LIMIT ${most})`,
    )
    const cut = await this.#tx.run(
      sql`UPDATE traffic_history SET from_step = ${before} WHERE sim_id IN
            (SELECT sim_id FROM traffic_history
             WHERE from_step < ${before} AND until_step > ${before} LIMIT ${most})`,
    )
    return over + cut
  }
}

/** What passed through a network before anything was counted there. */
export async function networkHistory(tx: Tx, network: NetworkKey, span: Span): Promise<Step[]> {
  return summedSteps(await new HistoryStore(tx).listOf(network), span)
}
