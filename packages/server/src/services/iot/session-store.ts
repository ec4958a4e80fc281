/** Sessions of devices that stay connected: what they have subscribed to, and which connection has each open. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'

/** What a device subscribes to, and with which quality of service. */
export interface Subscription {
  readonly topic: string
  readonly qos: 0 | 1 | 2
}

export interface Session {
  /** The connection that has it open, or that had it when its process was killed. */
  readonly openedBy: string | undefined
  readonly subscriptions: readonly Subscription[]
}

/** How many of a device are remembered; a client that makes up a new name each time fills no table. */
const KEPT_PER_DEVICE = 10

/** The sessions of one device. */
export class SessionStore {
  readonly #tx: Tx
  readonly #simId: ItemId

  constructor(tx: Tx, simId: ItemId) {
    this.#tx = tx
    this.#simId = simId
  }

  async find(client: string): Promise<Session | undefined> {
    const row = await this.#tx.first<{ opened_by: string | null; subscriptions: string }>(
      sql`SELECT opened_by, subscriptions FROM iot_session
          WHERE sim_id = ${this.#simId} AND client = ${client}`,
    )
    return (
      row && {
        openedBy: row.opened_by ?? undefined,
        subscriptions: JSON.parse(row.subscriptions),
      }
    )
  }

  async open(client: string, { openedBy, subscriptions }: Session, now: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_session (sim_id, client, opened_by, subscriptions, used_at)
          VALUES (${this.#simId}, ${client}, ${openedBy ?? null}, ${JSON.stringify(subscriptions)},
                  ${now})
          ON CONFLICT (sim_id, client) DO UPDATE SET opened_by = excluded.opened_by,
            subscriptions = excluded.subscriptions, used_at = excluded.used_at`,
    )
    await this.#tx.run(
      sql`DELETE FROM iot_session WHERE sim_id = ${this.#simId} AND client <> ${client}
          AND client NOT IN (SELECT client FROM iot_session WHERE sim_id = ${this.#simId}
                             ORDER BY used_at DESC, client LIMIT ${KEPT_PER_DEVICE})`,
    )
  }

  async subscribe(openedBy: string, subscriptions: readonly Subscription[]): Promise<void> {
    await this.#tx.run(
      sql`UPDATE iot_session SET subscriptions = ${JSON.stringify(subscriptions)}
          WHERE sim_id = ${this.#simId} AND opened_by = ${openedBy}`,
    )
  }

  /** One that another connection has taken over stays open. */
  async close(openedBy: string, isKept: boolean): Promise<void> {
    const own = sql`sim_id = ${this.#simId} AND opened_by = ${openedBy}`
    await this.#tx.run(
      isKept
        ? sql`UPDATE iot_session SET opened_by = NULL WHERE ${own}`
        : sql`DELETE FROM iot_session WHERE ${own}`,
    )
  }

  async forget(): Promise<void> {
    await this.#tx.run(sql`DELETE FROM iot_session WHERE sim_id = ${this.#simId}`)
  }
}
