/** The rows of messages, as the store of an account and that of the deliveries both read them. */
import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import { compileSearch, type SearchFields } from '../../storage/search.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import type { Encoding } from './encoding-rules.ts'
import type { Message, MessageId, Status, TransportName } from './rules.ts'

export interface MessageRow {
  id: MessageId
  serial: number
  account_id: AccountId
  item_id: ItemId
  destination: string
  encoding: Encoding
  segments: number
  sealed: string | null
  status: Status
  transport: TransportName
  reference: string | null
  uncertain: number
  retry_count: number
  sent_at: number
  done_at: number | null
  expires_at: number
}

export const MESSAGE =
  raw(`id, serial, account_id, item_id, destination, encoding, segments, sealed,
  status, transport, reference, uncertain, retry_count, sent_at, done_at, expires_at`)

/** Every scalar that a log shows but the one-time password, which is sealed. */
const SEARCH_FIELDS: SearchFields = {
  messageId: { column: raw('id'), type: 'text' },
  status: { column: raw('status'), type: 'text' },
  destination: { column: raw('destination'), type: 'text' },
  sentAt: { column: raw('sent_at'), type: 'datetime' },
  doneAt: { column: raw('done_at'), type: 'datetime' },
  retryCount: { column: raw('retry_count'), type: 'number' },
}

/** Newest first, unless the query has an order of its own. */
export function selectMessages(scope: Sql, query: SearchQuery): Sql {
  const { where, orderBy } = compileSearch(query, SEARCH_FIELDS, raw('serial'))
  const order = query.sort.length === 0 ? raw('sent_at DESC, serial DESC') : orderBy
  return sql`SELECT ${MESSAGE} FROM sms_message WHERE ${scope} AND ${where}
             ORDER BY ${order} LIMIT ${query.count} OFFSET ${query.from}`
}

export function toMessage(row: MessageRow): Message {
  return {
    id: row.id,
    serial: row.serial,
    accountId: row.account_id,
    itemId: row.item_id,
    destination: row.destination,
    encoding: row.encoding,
    segments: row.segments,
    sealed: row.sealed ?? undefined,
    status: row.status,
    transport: row.transport,
    reference: row.reference ?? undefined,
    isUncertain: row.uncertain === 1,
    retryCount: row.retry_count,
    sentAt: new Date(row.sent_at),
    doneAt: row.done_at === null ? undefined : new Date(row.done_at),
    expiresAt: new Date(row.expires_at),
  }
}
