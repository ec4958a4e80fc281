import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import type { Product } from './rules.ts'

/** A price of the world; without an account it is everybody's. */
export interface GivenPrice {
  readonly product: Product
  readonly accountId: string | undefined
}

interface PriceRow {
  product: number
  account_id: string
  entry: string
}

const PRICE = raw('product, account_id, entry')

export class PriceStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** Those for everybody first, then those for this account. */
  async listFor(accountId: string | undefined): Promise<GivenPrice[]> {
    const accounts = accountId === undefined ? [''] : ['', accountId]
    const rows = await this.#tx.all<PriceRow>(
      sql`SELECT ${PRICE} FROM price WHERE account_id IN ${list(accounts)}
          ORDER BY account_id, product`,
    )
    return rows.map(toGiven)
  }

  async list(): Promise<GivenPrice[]> {
    const rows = await this.#tx.all<PriceRow>(
      sql`SELECT ${PRICE} FROM price ORDER BY product, account_id`,
    )
    return rows.map(toGiven)
  }

  async find(serviceClassId: number, accountId: string | undefined): Promise<Product | undefined> {
    const row = await this.#tx.first<PriceRow>(
      sql`SELECT ${PRICE} FROM price
          WHERE product = ${serviceClassId} AND account_id = ${accountId ?? ''}`,
    )
    return row && toGiven(row).product
  }

  async set({ product, accountId }: GivenPrice): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO price (${PRICE})
          VALUES (${product.serviceClassId}, ${accountId ?? ''}, ${JSON.stringify(product)})
          ON CONFLICT (product, account_id) DO UPDATE SET entry = excluded.entry`,
    )
  }
}

function toGiven(row: PriceRow): GivenPrice {
  return {
    product: JSON.parse(row.entry),
    accountId: row.account_id === '' ? undefined : row.account_id,
  }
}
