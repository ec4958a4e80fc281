import { RowStatements } from '../../kernel/row-statements.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
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

const COLUMNS = `place, resource_id, resource_name, product, product_name, zone, measure, used,
  amount`
const DETAIL = raw(COLUMNS)
const DETAILS = new RowStatements(`INSERT INTO bill_detail (bill_id, ${COLUMNS}) VALUES `, 10, '')

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

  async insert(details: readonly Detail[]): Promise<void> {
    const rows = details.map((one) => [
      ...[this.#billId, one.place, one.resourceId, one.resourceName, one.product, one.productName],
      ...[one.zone ?? null, one.measure, one.used, one.amount],
    ])
    for (const query of DETAILS.of(rows)) await this.#tx.run(query)
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
