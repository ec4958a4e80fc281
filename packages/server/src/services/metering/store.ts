import { RowStatements } from '../../kernel/row-statements.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import type { AddedUse, PastUse, Use } from './rules.ts'

/** A sum stops here, so that what is added up later stays what a number can hold. */
export const QUANTITY_MAX = 2 ** 49 - 1

interface Sum {
  readonly resourceId: string
  readonly product: number
  readonly event: string
  readonly accountId: string
  readonly month: Date
  readonly quantity: number
  readonly from: Date
  readonly to: Date
}

const SUMS = new RowStatements(
  `INSERT INTO usage_count AS total
     (resource_id, product, event, account_id, month, quantity, from_at, to_at) VALUES `,
  8,
  ` ON CONFLICT (resource_id, product, event) DO UPDATE SET
      quantity = CASE WHEN total.quantity + excluded.quantity > ${QUANTITY_MAX}
                      THEN ${QUANTITY_MAX} ELSE total.quantity + excluded.quantity END,
      to_at = CASE WHEN total.to_at < excluded.to_at THEN excluded.to_at ELSE total.to_at END`,
)

/** Writes usage. A second time it writes nothing: unique indexes settle what has been written. */
export class UsageStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** False when this use goes on already. */
  async open({ accountId, resourceId, product }: Use, at: Date): Promise<boolean> {
    const opened = await this.#tx.run(
      sql`INSERT INTO usage_span (account_id, resource_id, product, from_at, to_at)
          VALUES (${accountId}, ${resourceId}, ${product.serviceClassId}, ${at}, NULL)
          ON CONFLICT DO NOTHING`,
    )
    return opened === 1
  }

  /** Ends every use of the resource that goes on. One that began just now has not been. */
  async close(resourceId: string, at: Date): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM usage_span
          WHERE resource_id = ${resourceId} AND to_at IS NULL AND from_at >= ${at}`,
    )
    await this.#tx.run(
      sql`UPDATE usage_span SET to_at = ${at} WHERE resource_id = ${resourceId} AND to_at IS NULL`,
    )
  }

  /** False when this event has been counted already. */
  async insert(use: Use, event: string, month: Date, at: Date): Promise<boolean> {
    const { accountId, resourceId, product } = use
    const inserted = await this.#tx.run(
      sql`INSERT INTO usage_count
            (resource_id, product, event, account_id, month, quantity, from_at, to_at)
          VALUES (${resourceId}, ${product.serviceClassId}, ${event}, ${accountId}, ${month}, 1,
                  ${at}, ${at})
          ON CONFLICT DO NOTHING`,
    )
    return inserted === 1
  }

  /** Adds to the month's one record of the resource and product. */
  add(use: Use, quantity: number, month: Date, at: Date): Promise<void> {
    return this.addAll([{ use, quantity, month, at }])
  }

  /** The same for many, each record once. */
  async addAll(used: readonly (AddedUse & { readonly month: Date })[]): Promise<void> {
    const records = new Map<string, Sum>()
    for (const { use, quantity, month, at } of used) {
      const { resourceId, product, accountId } = use
      const event = sumOf(month)
      const key = `${resourceId} ${product.serviceClassId} ${event}`
      const known = records.get(key)
      records.set(key, {
        ...{ resourceId, product: product.serviceClassId, event, accountId, month },
        quantity: Math.min((known?.quantity ?? 0) + quantity, QUANTITY_MAX),
        from: known === undefined || at < known.from ? at : known.from,
        to: known === undefined || at > known.to ? at : known.to,
      })
    }
    const rows = [...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, sum]) => toRow(sum))
    await Promise.all(SUMS.of(rows).map((query) => this.#tx.run(query)))
  }

  /** Records of months that have none of the resource and product. */
  async insertSums(uses: readonly PastUse[]): Promise<void> {
    await this.#tx.insertMany(
      'usage_count',
      ['resource_id', 'product', 'event', 'account_id', 'month', 'quantity', 'from_at', 'to_at'],
      uses.map(({ use, month, quantity }) => [
        ...[use.resourceId, use.product.serviceClassId, sumOf(month), use.accountId],
        ...[month.getTime(), quantity, month.getTime(), month.getTime()],
      ]),
    )
  }

  /** Sets the month's one record of the resource and product. */
  async replace(use: Use, quantity: number, month: Date): Promise<void> {
    const { accountId, resourceId, product } = use
    await this.#tx.run(
      sql`INSERT INTO usage_count
            (resource_id, product, event, account_id, month, quantity, from_at, to_at)
          VALUES (${resourceId}, ${product.serviceClassId}, ${sumOf(month)}, ${accountId}, ${month},
                  ${quantity}, ${month}, ${month})
          ON CONFLICT (resource_id, product, event) DO UPDATE SET quantity = excluded.quantity`,
    )
  }

  /** The first name that a resource is metered under. */
  async name(resourceId: string, name: string): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO metered_resource (resource_id, name) VALUES (${resourceId}, ${name})
          ON CONFLICT DO NOTHING`,
    )
  }

  /** A resource that was never metered has no name here, and needs none. */
  async rename(resourceId: string, name: string): Promise<void> {
    await this.#tx.run(
      sql`UPDATE metered_resource SET name = ${name} WHERE resource_id = ${resourceId}`,
    )
  }
}

function toRow({ resourceId, product, event, accountId, month, quantity, from, to }: Sum) {
  return [
    ...[resourceId, product, event, accountId, month.getTime(), quantity],
    ...[from.getTime(), to.getTime()],
  ]
}

/** No message has an id like it. */
function sumOf(month: Date): string {
  return `month ${month.getTime()}`
}
