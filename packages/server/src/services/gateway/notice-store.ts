import { NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { MailLanguage } from '../../kernel/mail-address.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { compileSearch, type SearchFields } from '../../storage/search.ts'
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
  language: MailLanguage | null
  message_id: string | null
  status: Notice['status']
  attempts: number
  reason: string | null
  created_at: number
  done_at: number | null
}

const NOTICE = raw(`id, account_id, gateway_id, gateway_name, channel, target, month, quota_mb,
  used_bytes, language, message_id, status, attempts, reason, created_at, done_at`)

const FIELDS: SearchFields = {
  id: { column: raw('id'), type: 'number' },
  account_id: { column: raw('account_id'), type: 'text', exact: true },
  gateway_id: { column: raw('gateway_id'), type: 'text', exact: true },
  channel: { column: raw('channel'), type: 'text', exact: true },
  status: { column: raw('status'), type: 'text', exact: true },
  created_at: { column: raw('created_at'), type: 'datetime' },
}

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
                  ${notice.usedBytes}, ${notice.language ?? null}, ${notice.messageId ?? null},
                  ${notice.status}, ${notice.attempts}, ${notice.reason ?? null},
                  ${notice.createdAt}, ${notice.doneAt ?? null})`,
    )
  }

  async wasSent(gatewayId: GatewayId, month: string, quotaMb: number): Promise<boolean> {
    const row = await this.#tx.first(
      sql`SELECT 1 AS one FROM gateway_notice
          WHERE gateway_id = ${gatewayId} AND month = ${month} AND quota_mb = ${quotaMb} LIMIT 1`,
    )
    return row !== undefined
  }

  async find(id: number): Promise<Notice | undefined> {
    const row = await this.#tx.first<NoticeRow>(
      sql`SELECT ${NOTICE} FROM gateway_notice WHERE id = ${id}`,
    )
    return row && toNotice(row)
  }

  async get(id: number): Promise<Notice> {
    const notice = await this.find(id)
    if (notice === undefined) {
      throw new NotFound(`There is no notice ${id}.`, `通知 ${id} は存在しません。`)
    }
    return notice
  }

  /** How it is sent, and what became of that. */
  async update(notice: Notice): Promise<void> {
    await this.#tx.run(
      sql`UPDATE gateway_notice
          SET target = ${notice.target ?? null}, language = ${notice.language ?? null},
              message_id = ${notice.messageId ?? null}, status = ${notice.status},
              attempts = ${notice.attempts}, reason = ${notice.reason ?? null},
              done_at = ${notice.doneAt ?? null}
          WHERE id = ${notice.id}`,
    )
  }

  /** Newest first, unless the search says otherwise. */
  async list(query: SearchQuery): Promise<{ total: number; notices: Notice[] }> {
    const { where, orderBy } = compileSearch(query, FIELDS, raw('id'))
    const order = query.sort.length === 0 ? raw('created_at DESC, id DESC') : orderBy
    const counted = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM gateway_notice WHERE ${where}`,
    )
    const rows = await this.#tx.all<NoticeRow>(
      sql`SELECT ${NOTICE} FROM gateway_notice WHERE ${where}
          ORDER BY ${order} LIMIT ${query.count} OFFSET ${query.from}`,
    )
    return { total: counted?.total ?? 0, notices: rows.map(toNotice) }
  }
}

function toNotice(row: NoticeRow): Notice {
  return {
    id: row.id,
    accountId: row.account_id,
    gatewayId: row.gateway_id,
    gatewayName: row.gateway_name,
    channel: row.channel,
    target: row.target ?? undefined,
    month: row.month,
    quotaMb: row.quota_mb,
    usedBytes: row.used_bytes,
    language: row.language ?? undefined,
    messageId: row.message_id ?? undefined,
    status: row.status,
    attempts: row.attempts,
    reason: row.reason ?? undefined,
    createdAt: new Date(row.created_at),
    doneAt: row.done_at === null ? undefined : new Date(row.done_at),
  }
}
