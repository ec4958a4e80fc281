import { RowStatements } from '../../kernel/row-statements.ts'
import type { Span } from '../../kernel/steps.ts'
import { type AgedRows, deleteOlder, oldestOf } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import type { InterfaceNumber, MonitorStep } from './monitor-rules.ts'
import type { GatewayId } from './rules.ts'

const SHARDS = 8

/** Bytes through an interface of a gateway, within one step. */
export interface MonitoredStep extends MonitorStep {
  readonly gatewayId: string
  readonly carrier: InterfaceNumber
}

const STEPS = new RowStatements(
  `INSERT INTO gateway_step AS total
     (gateway_id, interface, step, shard, send_bytes, receive_bytes) VALUES `,
  6,
  ` ON CONFLICT (gateway_id, interface, step, shard) DO UPDATE SET
      send_bytes = total.send_bytes + excluded.send_bytes,
      receive_bytes = total.receive_bytes + excluded.receive_bytes`,
)

/** Bytes through the interfaces of one gateway, over time. */
export class MonitorStore {
  readonly #tx: Tx
  readonly #gatewayId: GatewayId

  constructor(tx: Tx, gatewayId: GatewayId) {
    this.#tx = tx
    this.#gatewayId = gatewayId
  }

  /** The steps within the span that have data, oldest first. */
  async list(carrier: InterfaceNumber, { from, to }: Span): Promise<MonitorStep[]> {
    const rows = await this.#tx.all<{ step: number; send: number; receive: number }>(
      sql`SELECT step, sum(send_bytes) AS send, sum(receive_bytes) AS receive FROM gateway_step
          WHERE gateway_id = ${this.#gatewayId} AND interface = ${carrier}
            AND step >= ${from} AND step < ${to}
          GROUP BY step ORDER BY step`,
    )
    return rows.map(({ step, send, receive }) => ({
      at: step,
      sendBytes: send,
      receiveBytes: receive,
    }))
  }

  async deleteAll(): Promise<void> {
    await this.#tx.run(sql`DELETE FROM gateway_step WHERE gateway_id = ${this.#gatewayId}`)
  }
}

const AGED_STEPS: AgedRows = {
  ...{ table: 'gateway_step', key: 'gateway_id, interface, step, shard', time: 'step' },
}

export function oldestMonitorStep(tx: Tx): Promise<number | undefined> {
  return oldestOf<number>(tx, AGED_STEPS)
}

export function deleteMonitorStepsBefore(tx: Tx, step: number, most: number): Promise<number> {
  return deleteOlder(tx, AGED_STEPS, step, most)
}

/**
 * Adds what many SIMs have sent and received, a few statements for all of them. `some` is a number that differs from
 * call to call and chooses the rows: transactions seldom meet in one.
 */
export async function addMonitorSteps(
  tx: Tx,
  added: readonly MonitoredStep[],
  some: number,
): Promise<void> {
  const shard = some % SHARDS
  const rows = new Map<string, [string, number, number, number, number, number]>()
  for (const { gatewayId, carrier, at, sendBytes, receiveBytes } of added) {
    const key = `${gatewayId} ${carrier} ${at}`
    const [, , , , sent = 0, received = 0] = rows.get(key) ?? []
    rows.set(key, [gatewayId, carrier, at, shard, sent + sendBytes, received + receiveBytes])
  }
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  await Promise.all(STEPS.of(sorted).map((query) => tx.run(query)))
}
