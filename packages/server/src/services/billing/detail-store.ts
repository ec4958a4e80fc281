import type { Tx } from '../../storage/database.ts'
import { join, raw, sql } from '../../storage/sql.ts'
import type { Detail } from './rules.ts'

interface DetailRow {
  place: number
  resource_id: string
  resource_name: string
  product: number
  product_name: string
  zone: Detail['zone'] | null
  measure: Detail['measure']
  used: number
  amount: number
}

const DETAIL = raw(`place, resource_id, resource_name, product, product_name, zone, measure, used,
  amount`)

/** The lines of one bill. */
export class DetailStore {
  readonly #tx: Tx
  readonly #billId: number

  constructor(tx: Tx, billId: number) {
    this.#tx = tx
    this.#billId = billId
  }

  async list(): Promise<Detail[]> {
    const rows = await this.#tx.all<DetailRow>(
      sql`SELECT ${DETAIL} FROM bill_detail WHERE bill_id = ${this.#billId} ORDER BY place`,
    )
    return rows.map((row) => ({
      place: row.place,
      resourceId: row.resource_id,
      resourceName: row.resource_name,
      product: row.product,
      productName: row.product_name,
      zone: row.zone ?? undefined,
      measure: row.measure,
      used: row.used,
      amount: row.amount,
    }))
  }

  /** All in one statement; at most some thousand, for the engines bound the values of one. */
  async insert(details: readonly Detail[]): Promise<void> {
    if (details.length === 0) return
    const rows = details.map(
      (one) =>
        sql`(${this.#billId}, ${one.place}, ${one.resourceId}, ${one.resourceName}, ${one.product},
             ${one.productName}, ${one.zone ?? null}, ${one.measure}, ${one.used}, ${one.amount})`,
    )
    await this.#tx.run(sql`INSERT INTO bill_detail (bill_id, ${DETAIL}) VALUES ${join(rows, ', ')}`)
  }

  async deleteAll(): Promise<void> {
    await this.#tx.run(sql`DELETE FROM bill_detail WHERE bill_id = ${this.#billId}`)
  }

  async sum(): Promise<number> {
    const row = await this.#tx.first<{ amount: number | null }>(
      sql`SELECT sum(amount) AS amount FROM bill_detail WHERE bill_id = ${this.#billId}`,
    )
    return row?.amount ?? 0
  }
}
