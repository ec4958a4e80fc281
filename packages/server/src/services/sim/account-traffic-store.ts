import type { AccountId } from '../../kernel/ids.ts'
import { RowStatements } from '../../kernel/row-statements.ts'
import type { Span } from '../../kernel/steps.ts'
import { type AgedRows, deleteOlder, oldestOf } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import { type History, summedDays, summedSteps } from './history-rules.ts'
import { HistoryStore } from './history-store.ts'
import { ACCOUNT_SHARDS, mergeSteps, type Step } from './traffic-rules.ts'

const ADD = new RowStatements(
  `INSERT INTO account_step AS total (account_id, step, shard, uplink_bytes, downlink_bytes) VALUES `,
  5,
  ` ON CONFLICT (account_id, step, shard) DO UPDATE SET
      uplink_bytes = total.uplink_bytes + excluded.uplink_bytes,
      downlink_bytes = total.downlink_bytes + excluded.downlink_bytes`,
)

interface StepRow {
  at: number
  uplink: number
  downlink: number
}

/** What all SIMs of one account have sent and received, by step. */
export class AccountTrafficStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async add(simId: string, steps: readonly Step[]): Promise<void> {
    const shard = Number(simId) % ACCOUNT_SHARDS
    const rows = steps.map(({ at, uplinkBytes, downlinkBytes }) => [
      ...[this.#accountId, at, shard, uplinkBytes, downlinkBytes],
    ])
    for (const query of ADD.of(rows)) await this.#tx.run(query)
  }

  /** The steps within the span that have data, oldest first; of computed pasts, too. */
  async listSteps(span: Span): Promise<Step[]> {
    const { from, to } = span
    const rows = await this.#tx.all<StepRow>(
      sql`SELECT step AS at, sum(uplink_bytes) AS uplink, sum(downlink_bytes) AS downlink
          FROM account_step WHERE account_id = ${this.#accountId} AND step >= ${from} AND step < ${to}
          GROUP BY step ORDER BY step`,
    )
    return mergeSteps(rows.map(toStep), summedSteps(await this.#histories(), span))
  }

  /** The same as sums of days in Japan, each at its beginning. */
  async listDays(span: Span): Promise<Step[]> {
    const { from, to } = span
    // Literals, since a parameter is no integer to every engine, and a quotient would not be one either.
    const day = raw('((step + 32400000) / 86400000) * 86400000 - 32400000')
    const rows = await this.#tx.all<StepRow>(
      sql`SELECT ${day} AS at, sum(uplink_bytes) AS uplink, sum(downlink_bytes) AS downlink
          FROM account_step WHERE account_id = ${this.#accountId} AND step >= ${from} AND step < ${to}
          GROUP BY ${day} ORDER BY ${day}`,
    )
    return mergeSteps(rows.map(toStep), summedDays(await this.#histories(), span))
  }

  #histories(): Promise<History[]> {
    return new HistoryStore(this.#tx).listOfAccount(this.#accountId)
  }
}

function toStep({ at, uplink, downlink }: StepRow): Step {
  return { at, uplinkBytes: uplink, downlinkBytes: downlink }
}

const STEPS: AgedRows = { table: 'account_step', key: 'account_id, step, shard', time: 'step' }

export function oldestAccountStep(tx: Tx): Promise<number | undefined> {
  return oldestOf<number>(tx, STEPS)
}

export function deleteAccountStepsBefore(tx: Tx, step: number, most: number): Promise<number> {
  return deleteOlder(tx, STEPS, step, most)
}
