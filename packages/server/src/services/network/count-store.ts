import { RowStatements } from '../../kernel/row-statements.ts'
import type { Tx } from '../../storage/database.ts'
import { raw, sql } from '../../storage/sql.ts'
import { type ElementCounts, NO_COUNTS } from './rules.ts'

/** Rows of an element's counters. Who counts chooses one, so that transactions seldom meet in it. */
export const COUNT_SHARDS = 16

export interface Heard extends Omit<ElementCounts, 'lastSeenAt'> {
  readonly element: string
  readonly shard: number
  readonly at: Date
}

interface CountRow {
  element: string
  seen_at: number
  accepted: number
  refused: number
  packets: number
}

const ADD = new RowStatements(
  `INSERT INTO network_element_count AS total
     (element, shard, seen_at, accepted, refused, packets) VALUES `,
  6,
  ` ON CONFLICT (element, shard) DO UPDATE SET accepted = total.accepted + excluded.accepted,
      refused = total.refused + excluded.refused, packets = total.packets + excluded.packets,
      seen_at = CASE WHEN total.seen_at < excluded.seen_at THEN excluded.seen_at
                     ELSE total.seen_at END`,
)

/** What was heard of elements. */
export class CountStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  /** At most one of each element and shard. */
  async add(heard: readonly Heard[]): Promise<void> {
    const rows = heard.map((one) => [
      ...[one.element, one.shard, one.at.getTime(), one.accepted, one.refused],
      one.accountingPackets,
    ])
    for (const query of ADD.of(rows)) await this.#tx.run(query)
  }

  async all(): Promise<ReadonlyMap<string, ElementCounts>> {
    const rows = await this.#tx.all<CountRow>(
      raw(`SELECT element, max(seen_at) AS seen_at, sum(accepted) AS accepted,
             sum(refused) AS refused, sum(packets) AS packets
           FROM network_element_count GROUP BY element`),
    )
    return new Map(rows.map((row) => [row.element, toCounts(row)]))
  }

  async of(element: string): Promise<ElementCounts> {
    return (await this.all()).get(element) ?? NO_COUNTS
  }

  async delete(element: string): Promise<void> {
    await this.#tx.run(sql`DELETE FROM network_element_count WHERE element = ${element}`)
  }
}

function toCounts({ seen_at, accepted, refused, packets }: CountRow): ElementCounts {
  return { lastSeenAt: new Date(seen_at), accepted, refused, accountingPackets: packets }
}
