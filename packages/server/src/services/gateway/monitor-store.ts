import { type Span, stepOf } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { Carried, InterfaceNumber, MonitorStep } from './monitor-rules.ts'
import type { GatewayId } from './rules.ts'

const SHARDS = 8

/** Bytes through the interfaces of one gateway, over time. */
export class MonitorStore {
  readonly #tx: Tx
  readonly #gatewayId: GatewayId

  constructor(tx: Tx, gatewayId: GatewayId) {
    this.#tx = tx
    this.#gatewayId = gatewayId
  }

  async add(carrier: InterfaceNumber, simId: string, carried: Carried, at: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO gateway_step AS total
            (gateway_id, interface, step, shard, send_bytes, receive_bytes)
          VALUES (${this.#gatewayId}, ${carrier}, ${stepOf(at)}, ${Number(simId) % SHARDS},
                  ${carried.sendBytes}, ${carried.receiveBytes})
          ON CONFLICT (gateway_id, interface, step, shard) DO UPDATE SET
            send_bytes = total.send_bytes + excluded.send_bytes,
            receive_bytes = total.receive_bytes + excluded.receive_bytes`,
    )
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
