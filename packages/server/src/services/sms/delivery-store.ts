/**
 * Messages on their way, of all accounts: what the jobs, the network's reports and the operator see.
 * Whatever ends a message is one conditional update, so that the first end is the only one.
 */
import { NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import { MESSAGE, type MessageRow, selectMessages, toMessage } from './message-store.ts'
import type { Message, MessageId, Outcome, Status, TransportName } from './rules.ts'

export class DeliveryStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async get(id: string): Promise<Message> {
    const [message] = await this.listByIds([id])
    if (message !== undefined) return message
    throw new NotFound(`Message ${id} does not exist.`, `メッセージ ${id} は存在しません。`)
  }

  async list(query: SearchQuery): Promise<Message[]> {
    const rows = await this.#tx.all<MessageRow>(selectMessages(raw('1 = 1'), query))
    return rows.map(toMessage)
  }

  /** Of one account since then, the newest `most` of them. */
  async countByStatus(
    accountId: AccountId,
    since: Date,
    most: number,
  ): Promise<ReadonlyMap<Status, number>> {
    const rows = await this.#tx.all<{ status: Status; total: number }>(
      sql`SELECT status, count(*) AS total FROM
            (SELECT status FROM sms_message WHERE account_id = ${accountId} AND sent_at >= ${since}
             ORDER BY sent_at DESC LIMIT ${most}) AS newest
          GROUP BY status`,
    )
    return new Map(rows.map(({ status, total }) => [status, total]))
  }

  async listByIds(ids: readonly string[]): Promise<Message[]> {
    const rows = await this.#tx.all<MessageRow>(
      sql`SELECT ${MESSAGE} FROM sms_message WHERE id IN ${list(ids)}`,
    )
    return rows.map(toMessage)
  }

  async findByReference(reference: string): Promise<Message | undefined> {
    const row = await this.#tx.first<MessageRow>(
      sql`SELECT ${MESSAGE} FROM sms_message WHERE reference = ${reference}
          ORDER BY serial DESC LIMIT 1`,
    )
    return row && toMessage(row)
  }

  /** Whether a network may know a message by a reference that we have yet to hear. */
  async isAnyUnanswered(now: Date): Promise<boolean> {
    const row = await this.#tx.first(
      sql`SELECT id FROM sms_message
          WHERE status = 'Accepted' AND expires_at > ${now} AND reference IS NULL LIMIT 1`,
    )
    return row !== undefined
  }

  async setTransport(ids: readonly MessageId[], transport: TransportName): Promise<void> {
    await this.#tx.run(
      sql`UPDATE sms_message SET transport = ${transport} WHERE id IN ${list(ids)}`,
    )
  }

  async setReference(id: MessageId, reference: string): Promise<void> {
    await this.#tx.run(sql`UPDATE sms_message SET reference = ${reference} WHERE id = ${id}`)
  }

  /** It was submitted, and what came of it is not known. A report may have come first. */
  async setUncertain(id: MessageId): Promise<void> {
    await this.#tx.run(
      sql`UPDATE sms_message SET uncertain = 1 WHERE id = ${id} AND status = 'Accepted'`,
    )
  }

  /** False when it has ended before. */
  async end(id: MessageId, outcome: Outcome, at: Date): Promise<boolean> {
    const ended = await this.#tx.run(
      sql`UPDATE sms_message SET status = ${outcome}, done_at = ${at}, uncertain = 0
          WHERE id = ${id} AND status = 'Accepted'`,
    )
    return ended === 1
  }

  /** False when this try has been counted before. */
  async countRetry(id: MessageId, retryCount: number): Promise<boolean> {
    const counted = await this.#tx.run(
      sql`UPDATE sms_message SET retry_count = ${retryCount + 1}
          WHERE id = ${id} AND retry_count = ${retryCount} AND status = 'Accepted'`,
    )
    return counted === 1
  }

  async nextExpiry(): Promise<Date | undefined> {
    return this.#date(
      raw("SELECT min(expires_at) AS at FROM sms_message WHERE status = 'Accepted'"),
    )
  }

  /** Ends what nobody has reported on, each at its own time. */
  expire(now: Date, most: number): Promise<number> {
    return this.#tx.run(
      sql`UPDATE sms_message SET status = 'Failed', done_at = expires_at
          WHERE id IN (SELECT id FROM sms_message WHERE status = 'Accepted' AND expires_at <= ${now}
                       ORDER BY expires_at LIMIT ${most})`,
    )
  }

  async oldestSealed(): Promise<Date | undefined> {
    return this.#date(raw('SELECT min(sent_at) AS at FROM sms_message WHERE sealed IS NOT NULL'))
  }

  /** Drops passwords and texts of what was sent up to then. */
  forget(until: Date, most: number): Promise<number> {
    return this.#tx.run(
      sql`UPDATE sms_message SET sealed = NULL
          WHERE id IN (SELECT id FROM sms_message WHERE sealed IS NOT NULL AND sent_at <= ${until}
                       ORDER BY sent_at LIMIT ${most})`,
    )
  }

  async #date(query: ReturnType<typeof sql>): Promise<Date | undefined> {
    const row = await this.#tx.first<{ at: number | null }>(query)
    return row?.at == null ? undefined : new Date(row.at)
  }
}
