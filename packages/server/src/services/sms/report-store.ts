import { deleteOlder } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { list, sql } from '../../storage/sql.ts'
import { type KeptReport, REPORTS_KEPT_MAX, type ReportStatus } from './report-rules.ts'
import type { MessageId } from './rules.ts'

interface ReportRow {
  message_id: MessageId | null
  report_id: string
  status: ReportStatus
  reported_at: number
  received_at: number
}

/** What real networks have reported, of all accounts. */
export class ReportStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** A repeat is not kept again, nor more than so many of one message. */
  async insert(messageId: MessageId, report: KeptReport): Promise<void> {
    const { id } = report
    const mine = await this.#tx.all<{ report_id: string }>(
      sql`SELECT report_id FROM sms_report WHERE message_id = ${messageId}`,
    )
    const isRepeat = id !== '' && mine.some(({ report_id }) => report_id === id)
    if (isRepeat || mine.length >= REPORTS_KEPT_MAX) return
    await this.#insert(messageId, null, report)
  }

  /** For the answer that will tell whose reference it is. */
  async insertEarly(reference: string, report: KeptReport): Promise<void> {
    const early = await this.#tx.all(
      sql`SELECT serial FROM sms_report WHERE reference = ${reference} AND message_id IS NULL`,
    )
    if (early.length < REPORTS_KEPT_MAX) await this.#insert(null, reference, report)
  }

  /** What came before the answer, in the order of its coming. */
  async takeEarly(reference: string): Promise<KeptReport[]> {
    const rows = await this.#tx.all<ReportRow & { serial: number }>(
      sql`DELETE FROM sms_report WHERE reference = ${reference} AND message_id IS NULL
          RETURNING serial, message_id, report_id, status, reported_at, received_at`,
    )
    return rows.sort((a, b) => a.serial - b.serial).map(toReport)
  }

  /** Reports that have met no message until then. */
  deleteEarly(before: Date, most: number): Promise<number> {
    const rows = { table: 'sms_report', key: 'serial', time: 'received_at' }
    return deleteOlder(this.#tx, { ...rows, where: 'message_id IS NULL' }, before, most)
  }

  /** In the order of their coming. */
  async listByMessages(ids: readonly MessageId[]): Promise<ReadonlyMap<string, KeptReport[]>> {
    const rows = await this.#tx.all<ReportRow>(
      sql`SELECT message_id, report_id, status, reported_at, received_at FROM sms_report
          WHERE message_id IN ${list(ids)} ORDER BY serial`,
    )
    const byMessage = new Map<string, KeptReport[]>()
    for (const row of rows) {
      const id = row.message_id ?? ''
      byMessage.set(id, [...(byMessage.get(id) ?? []), toReport(row)])
    }
    return byMessage
  }

  async #insert(
    messageId: MessageId | null,
    reference: string | null,
    { id, status, at, receivedAt }: KeptReport,
  ): Promise<void> {
    const serial = await this.#tx.next('outbox')
    await this.#tx.run(
      sql`INSERT INTO sms_report
            (serial, message_id, reference, report_id, status, reported_at, received_at)
          VALUES (${serial}, ${messageId}, ${reference}, ${id}, ${status}, ${at}, ${receivedAt})`,
    )
  }
}

function toReport(row: ReportRow): KeptReport {
  return {
    id: row.report_id,
    status: row.status,
    at: new Date(row.reported_at),
    receivedAt: new Date(row.received_at),
  }
}
