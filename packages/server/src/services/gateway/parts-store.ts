/** What belongs to one gateway and goes with it: resolvers, SIM routes, traffic control. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import type { DnsServers } from './dns-rules.ts'
import type { SimRoute } from './route-rules.ts'
import type { GatewayId } from './rules.ts'
import type { TrafficControl } from './traffic-rules.ts'

interface TrafficControlRow {
  quota_mb: number
  auto_shaping: number
  limit_kbps: number | null
  email_enabled: number
  chat_enabled: number
  chat_url: string
}

/** Made for a gateway that its own store has found, and so for one account. */
export class PartsStore {
  readonly #tx: Tx
  readonly #gatewayId: GatewayId

  constructor(tx: Tx, gatewayId: GatewayId) {
    this.#tx = tx
    this.#gatewayId = gatewayId
  }

  async findDns(): Promise<DnsServers | undefined> {
    const row = await this.#tx.first<{ dns_1: string; dns_2: string | null }>(
      sql`SELECT dns_1, dns_2 FROM gateway_dns WHERE gateway_id = ${this.#gatewayId}`,
    )
    return row && { dns1: row.dns_1, dns2: row.dns_2 ?? undefined }
  }

  async putDns({ dns1, dns2 }: DnsServers): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO gateway_dns (gateway_id, dns_1, dns_2)
          VALUES (${this.#gatewayId}, ${dns1}, ${dns2 ?? null})
          ON CONFLICT (gateway_id) DO UPDATE SET dns_1 = excluded.dns_1, dns_2 = excluded.dns_2`,
    )
  }

  async listRoutes(): Promise<SimRoute[]> {
    const rows = await this.#tx.all<{ sim_id: ItemId; prefix: string }>(
      sql`SELECT sim_id, prefix FROM sim_route WHERE gateway_id = ${this.#gatewayId}
          ORDER BY position`,
    )
    return rows.map(({ sim_id, prefix }) => ({ simId: sim_id, prefix }))
  }

  async replaceRoutes(routes: readonly SimRoute[]): Promise<void> {
    await this.#tx.run(sql`DELETE FROM sim_route WHERE gateway_id = ${this.#gatewayId}`)
    for (const [position, { simId, prefix }] of routes.entries()) {
      await this.#tx.run(
        sql`INSERT INTO sim_route (gateway_id, position, sim_id, prefix)
            VALUES (${this.#gatewayId}, ${position}, ${simId}, ${prefix})`,
      )
    }
  }

  async deleteRoutesOf(simId: ItemId): Promise<void> {
    await this.#tx.run(
      sql`DELETE FROM sim_route WHERE gateway_id = ${this.#gatewayId} AND sim_id = ${simId}`,
    )
  }

  async findTrafficControl(): Promise<TrafficControl | undefined> {
    const row = await this.#tx.first<TrafficControlRow>(
      sql`SELECT quota_mb, auto_shaping, limit_kbps, email_enabled, chat_enabled, chat_url
          FROM traffic_control WHERE gateway_id = ${this.#gatewayId}`,
    )
    return row && toTrafficControl(row)
  }

  /** A month in which the quota has been told as passed stays told. */
  async putTrafficControl(control: TrafficControl): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO traffic_control (gateway_id, quota_mb, auto_shaping, limit_kbps,
            email_enabled, chat_enabled, chat_url)
          VALUES (${this.#gatewayId}, ${control.quotaMb}, ${control.autoShaping},
                  ${control.limitKbps}, ${control.emailEnabled}, ${control.chatEnabled},
                  ${control.chatUrl})
          ON CONFLICT (gateway_id) DO UPDATE
          SET quota_mb = excluded.quota_mb, auto_shaping = excluded.auto_shaping,
              limit_kbps = excluded.limit_kbps, email_enabled = excluded.email_enabled,
              chat_enabled = excluded.chat_enabled, chat_url = excluded.chat_url`,
    )
  }

  /** False when there was none. */
  async deleteTrafficControl(): Promise<boolean> {
    const deleted = await this.#tx.run(
      sql`DELETE FROM traffic_control WHERE gateway_id = ${this.#gatewayId}`,
    )
    return deleted === 1
  }

  /** The months in which the quota has been told as passed, and in which shaping has begun. */
  async findMonths(): Promise<{ noticed: string | undefined; shaped: string | undefined }> {
    const row = await this.#tx.first<{ noticed_month: string | null; shaped_month: string | null }>(
      sql`SELECT noticed_month, shaped_month FROM traffic_control
          WHERE gateway_id = ${this.#gatewayId}`,
    )
    return { noticed: row?.noticed_month ?? undefined, shaped: row?.shaped_month ?? undefined }
  }

  async setShaped(month: string | undefined): Promise<void> {
    await this.#tx.run(
      sql`UPDATE traffic_control SET shaped_month = ${month ?? null}
          WHERE gateway_id = ${this.#gatewayId}`,
    )
  }

  /** True for the one who comes first in this month. */
  async markNoticed(month: string): Promise<boolean> {
    const changed = await this.#tx.run(
      sql`UPDATE traffic_control SET noticed_month = ${month}
          WHERE gateway_id = ${this.#gatewayId}
            AND (noticed_month IS NULL OR noticed_month <> ${month})`,
    )
    return changed === 1
  }

  async forgetNotice(): Promise<void> {
    await this.#tx.run(
      sql`UPDATE traffic_control SET noticed_month = NULL WHERE gateway_id = ${this.#gatewayId}`,
    )
  }

  async deleteAll(): Promise<void> {
    await this.#tx.run(sql`DELETE FROM gateway_dns WHERE gateway_id = ${this.#gatewayId}`)
    await this.#tx.run(sql`DELETE FROM sim_route WHERE gateway_id = ${this.#gatewayId}`)
    await this.#tx.run(sql`DELETE FROM traffic_control WHERE gateway_id = ${this.#gatewayId}`)
  }
}

/** Gateways in which shaping has begun. */
export async function listShaped(tx: Tx): Promise<GatewayId[]> {
  const rows = await tx.all<{ gateway_id: GatewayId }>(
    raw(
      'SELECT gateway_id FROM traffic_control WHERE shaped_month IS NOT NULL ORDER BY gateway_id',
    ),
  )
  return rows.map(({ gateway_id }) => gateway_id)
}

function toTrafficControl(row: TrafficControlRow): TrafficControl {
  return {
    quotaMb: row.quota_mb,
    autoShaping: row.auto_shaping === 1,
    limitKbps: row.limit_kbps,
    emailEnabled: row.email_enabled === 1,
    chatEnabled: row.chat_enabled === 1,
    chatUrl: row.chat_url,
  }
}

/** Which of these gateways have a traffic control. */
export async function listControlled(tx: Tx, gatewayIds: readonly string[]): Promise<string[]> {
  const rows = await tx.all<{ gateway_id: string }>(
    sql`SELECT gateway_id FROM traffic_control WHERE gateway_id IN ${list(gatewayIds)}
        ORDER BY gateway_id`,
  )
  return rows.map(({ gateway_id }) => gateway_id)
}
