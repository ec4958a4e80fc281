import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import type { Message } from './message-rules.ts'

interface MessageRow {
  project_id: ItemId
  number: number
  direction: Message['direction']
  device_id: string
  sent_at: number
  payload: string
  created_at: number
}

const COLUMNS = 'project_id number direction device_id sent_at payload created_at'.split(' ')
const MESSAGE = raw(COLUMNS.join(', '))

/** The messages of all projects; a project's own are asked for by its id. */
export class MessageStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** The receipt is what a repeat of the message would be recognised by. */
  async insert(message: Message, receipt: string | undefined): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_message (${MESSAGE}, receipt)
          VALUES (${message.projectId}, ${message.number}, ${message.direction},
                  ${message.deviceId}, ${message.sentAt}, ${JSON.stringify(message.payload)},
                  ${message.createdAt}, ${receipt ?? null})`,
    )
  }

  /** Many by one statement, each with its receipt. */
  async insertAll(entries: readonly (readonly [Message, string | undefined])[]): Promise<void> {
    const [first, second] = entries
    if (first !== undefined && second === undefined) return this.insert(...first)
    const rows = entries.map(([message, receipt]) => [
      ...[message.projectId, message.number, message.direction, message.deviceId],
      ...[message.sentAt.getTime(), JSON.stringify(message.payload), message.createdAt.getTime()],
      receipt ?? null,
    ])
    await this.#tx.insertMany('iot_message', [...COLUMNS, 'receipt'], rows)
  }

  /**
   * Whether a message with this receipt was stored since then. The time is compared here: a planner without statistics
   * would rather read all messages since then.
   */
  async hasReceipt(receipt: string, since: Date): Promise<boolean> {
    const rows = await this.#tx.all<{ created_at: number }>(
      sql`SELECT created_at FROM iot_message WHERE receipt = ${receipt}`,
    )
    return rows.some((row) => row.created_at >= since.getTime())
  }

  /** The devices that a message after that one is for. */
  async listReceivers(projectId: ItemId, after: number): Promise<string[]> {
    const rows = await this.#tx.all<{ device_id: string }>(
      sql`SELECT DISTINCT device_id FROM iot_message
          WHERE project_id = ${projectId} AND number > ${after} AND direction = 'down'`,
    )
    return rows.map((row) => row.device_id)
  }

  async find(projectId: ItemId, number: number): Promise<Message | undefined> {
    const [message] = await this.#list(sql`project_id = ${projectId} AND number = ${number}`, 1)
    return message
  }

  /** What devices of the project have sent after that one. */
  listFromDevices(projectId: ItemId, after: number, most: number): Promise<Message[]> {
    const where = sql`project_id = ${projectId} AND number > ${after} AND direction = 'up'`
    return this.#list(where, most)
  }

  /** What is for this device after that one. */
  listForDevice(deviceId: string, after: number, most: number): Promise<Message[]> {
    const where = sql`device_id = ${deviceId} AND direction = 'down' AND number > ${after}`
    return this.#list(where, most)
  }

  /** Newest first, in both directions; of one device, or of all. */
  async listNewest(
    projectId: ItemId,
    deviceId: string | undefined,
    before: number,
    most: number,
  ): Promise<Message[]> {
    const ofDevice = deviceId === undefined ? raw('1 = 1') : sql`device_id = ${deviceId}`
    const rows = await this.#tx.all<MessageRow>(
      sql`SELECT ${MESSAGE} FROM iot_message
          WHERE project_id = ${projectId} AND number < ${before} AND ${ofDevice}
          ORDER BY number DESC LIMIT ${most}`,
    )
    return rows.map(toMessage)
  }

  /** When the oldest that no delivery needs any more was made. */
  async oldestDone(): Promise<number | undefined> {
    const row = await this.#tx.first<{ created_at: number }>(
      raw(`SELECT m.created_at FROM iot_message AS m WHERE NOT EXISTS
             (SELECT 1 FROM iot_delivery AS d
              WHERE d.project_id = m.project_id AND d.number = m.number)
           ORDER BY m.created_at LIMIT 1`),
    )
    return row?.created_at
  }

  /** Those of before then that no delivery needs any more; answers with how many they were. */
  forget(before: Date, most: number): Promise<number> {
    return this.#tx.run(
      sql`DELETE FROM iot_message WHERE (project_id, number) IN
            (SELECT m.project_id, m.number FROM iot_message AS m
             WHERE m.created_at < ${before} AND NOT EXISTS
               (SELECT 1 FROM iot_delivery AS d
                WHERE d.project_id = m.project_id AND d.number = m.number)
             ORDER BY m.created_at LIMIT ${most})`,
    )
  }

  async #list(where: Sql, most: number): Promise<Message[]> {
    const rows = await this.#tx.all<MessageRow>(
      sql`SELECT ${MESSAGE} FROM iot_message WHERE ${where} ORDER BY number LIMIT ${most}`,
    )
    return rows.map(toMessage)
  }
}

function toMessage(row: MessageRow): Message {
  return {
    projectId: row.project_id,
    number: row.number,
    direction: row.direction,
    deviceId: row.device_id,
    sentAt: new Date(row.sent_at),
    payload: JSON.parse(row.payload),
    createdAt: new Date(row.created_at),
  }
}
