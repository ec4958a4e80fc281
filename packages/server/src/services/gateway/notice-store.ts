import type { AccountId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import type { Notice } from './notice-rules.ts'
import type { GatewayId } from './rules.ts'

interface NoticeRow {
  id: number
  account_id: AccountId
  gateway_id: GatewayId
  gateway_name: string
  channel: Notice['channel']
  target: string | null
  month: string
  quota_mb: number
  used_bytes: number
  status: Notice['status']
  attempts: number
  created_at: number
  done_at: number | null
}

const NOTICE = raw(`id, account_id, gateway_id, gateway_name, channel, target, month, quota_mb,
  used_bytes, status, attempts, created_at, done_at`)

/** The operator's view: the notices of all accounts. */
export class NoticeStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async insert(notice: Notice): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO gateway_notice (${NOTICE})
          VALUES (${notice.id}, ${notice.accountId}, ${notice.gatewayId}, ${notice.gatewayName},
                  ${notice.channel}, ${notice.target ?? null}, ${notice.month}, ${notice.quotaMb},
                  ${notice.usedBytes}, ${notice.status}, ${notice.attempts}, ${notice.createdAt},
                  ${notice.doneAt ?? null})`,
    )
  }

  async wasSent(gatewayId: GatewayId, month: string, quotaMb: number): Promise<boolean> {
    const row = await this.#tx.first(
      sql`SELECT 1 AS one FROM gateway_notice
          WHERE gateway_id = ${gatewayId} AND month = ${month} AND quota_mb = ${quotaMb} LIMIT 1`,
    )
    return row !== undefined
  }

  async settle(
    id: number,
    status: Notice['status'],
    attempts: number,
    doneAt: Date | undefined,
  ): Promise<void> {
    await this.#tx.run(
      sql`UPDATE gateway_notice
          SET status = ${status}, attempts = ${attempts}, done_at = ${doneAt ?? null}
          WHERE id = ${id}`,
    )
  }

  /** Newest first. */
  async list(count: number): Promise<Notice[]> {
    const rows = await this.#tx.all<NoticeRow>(
      sql`SELECT ${NOTICE} FROM gateway_notice ORDER BY created_at DESC, id DESC LIMIT ${count}`,
    )
    return rows.map((row) => ({
      id: row.id,
      accountId: row.account_id,
      gatewayId: row.gateway_id,
      gatewayName: row.gateway_name,
      channel: row.channel,
      target: row.target ?? undefined,
      month: row.month,
      quotaMb: row.quota_mb,
      usedBytes: row.used_bytes,
      status: row.status,
      attempts: row.attempts,
      createdAt: new Date(row.created_at),
      doneAt: row.done_at === null ? undefined : new Date(row.done_at),
    }))
  }
}
