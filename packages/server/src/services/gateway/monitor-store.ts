import type { Span } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { join, raw, sql } from '../../storage/sql.ts'
import type { InterfaceNumber, MonitorStep } from './monitor-rules.ts'
import type { GatewayId } from './rules.ts'

const SHARDS = 8
/** In one statement, for the engines bound the values of one. */
const ROWS_MAX = 2000

/** Bytes through the interfaces of one gateway, over time. */
export class MonitorStore {
  readonly #tx: Tx
  readonly #gatewayId: GatewayId

  constructor(tx: Tx, gatewayId: GatewayId) {
    this.#tx = tx
    this.#gatewayId = gatewayId
  }

  async add(carrier: InterfaceNumber, simId: string, steps: readonly MonitorStep[]): Promise<void> {
    const shard = Number(simId) % SHARDS
    const rows = steps.map(
      ({ at, sendBytes, receiveBytes }) =>
        sql`(${this.#gatewayId}, ${carrier}, ${at}, ${shard}, ${sendBytes}, ${receiveBytes})`,
    )
    for (let from = 0; from < rows.length; from += ROWS_MAX) {
      await this.#tx.run(
        sql`INSERT INTO gateway_step AS total
              (gateway_id, interface, step, shard, send_bytes, receive_bytes)
            VALUES ${join(rows.slice(from, from + ROWS_MAX), ', ')}
            ON CONFLICT (gateway_id, interface, step, shard) DO UPDATE SET
              send_bytes = total.send_bytes + excluded.send_bytes,
              receive_bytes = total.receive_bytes + excluded.receive_bytes`,
      )
    }
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

export async function oldestMonitorStep(tx: Tx): Promise<number | undefined> {
  const row = await tx.first<{ step: number | null }>(
    raw('SELECT min(step) AS step FROM gateway_step'),
  )
  return row?.step ?? undefined
}

export function deleteMonitorStepsBefore(tx: Tx, step: number): Promise<number> {
  return tx.run(sql`DELETE FROM gateway_step WHERE step < ${step}`)
}
