import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import { MESSAGE, type MessageRow, selectMessages, toMessage } from './message-store.ts'
import type { Message } from './rules.ts'

/** The messages of one account. A store cannot see past the account it was made for. */
export class SmsStore {
  readonly #tx: Tx
  readonly #accountId: AccountId

  constructor(tx: Tx, accountId: AccountId) {
    this.#tx = tx
    this.#accountId = accountId
  }

  async insert(message: Message): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO sms_message (${MESSAGE})
          VALUES (${message.id}, ${message.serial}, ${this.#accountId}, ${message.itemId},
                  ${message.destination}, ${message.encoding}, ${message.segments},
                  ${message.sealed ?? null}, ${message.status}, ${message.transport},
                  ${message.reference ?? null}, ${message.isUncertain}, ${message.retryCount},
                  ${message.sentAt}, ${message.doneAt ?? null}, ${message.expiresAt})`,
    )
  }

  /** The log of one item. */
  async list(itemId: ItemId, query: SearchQuery): Promise<Message[]> {
    const own = sql`account_id = ${this.#accountId} AND item_id = ${itemId}`
    const rows = await this.#tx.all<MessageRow>(selectMessages(own, query))
    return rows.map(toMessage)
  }

  /** When the nth newest message since then was sent; undefined when there are fewer. */
  async findNth(nth: number, since: Date, destination?: string): Promise<Date | undefined> {
    const to = destination === undefined ? sql`` : sql`AND destination = ${destination}`
    const row = await this.#tx.first<{ sent_at: number }>(
      sql`SELECT sent_at FROM sms_message
          WHERE account_id = ${this.#accountId} ${to} AND sent_at > ${since}
          ORDER BY sent_at DESC LIMIT 1 OFFSET ${nth - 1}`,
    )
    return row && new Date(row.sent_at)
  }
}
