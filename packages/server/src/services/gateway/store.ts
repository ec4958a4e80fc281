import { NotFound } from '../../kernel/errors.ts'
import type { AccountId } from '../../kernel/ids.ts'
import { formatCidr, parseCidr } from '../../kernel/ipv4.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Zone } from '../../kernel/zone.ts'
import type { Tx } from '../../storage/database.ts'
import { listRows } from '../../storage/listing.ts'
import type { SearchFields } from '../../storage/search.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import { tagsFromText, tagsToText } from '../../storage/tags.ts'
import type { Gateway, GatewayId } from './rules.ts'
import { type GatewaySettings, settingsHash } from './settings-rules.ts'
import type { SwitchId } from './switch-rules.ts'

interface GatewayRow {
  id: GatewayId
  account_id: AccountId
  zone: Zone
  name: string
  description: string
  tags: string
  icon_id: string | null
  plan_id: number
  settings: string | null
  applied_settings: string | null
  available_at: number
  power: Gateway['power']
  power_changed_at: number
  public_address: number
  public_subnet: string
  switch_id: SwitchId | null
  created_at: number
}

const GATEWAY = raw(`id, account_id, zone, name, description, tags, icon_id, plan_id, settings,
  applied_settings, available_at, power, power_changed_at, public_address, public_subnet, switch_id,
  created_at`)

/** Rows of the count, chosen by the id: concurrent creations seldom meet in one. */
const SHARDS = 16

/** The gateways of one account in one zone: elsewhere they do not exist. */
export class GatewayStore {
  readonly #tx: Tx
  readonly #accountId: AccountId
  readonly #zone: Zone

  constructor(tx: Tx, accountId: AccountId, zone: Zone) {
    this.#tx = tx
    this.#accountId = accountId
    this.#zone = zone
  }

  async get(id: string): Promise<Gateway> {
    const row = await this.#tx.first<GatewayRow>(
      sql`SELECT ${GATEWAY} FROM gateway WHERE ${this.#own} AND id = ${id}`,
    )
    if (row === undefined) {
      throw new NotFound(
        `Gateway ${id} does not exist in zone ${this.#zone}.`,
        `ゲートウェイ ${id} はゾーン ${this.#zone} に存在しません。`,
      )
    }
    return toGateway(row)
  }

  async list(
    query: SearchQuery,
    fields: SearchFields,
  ): Promise<{ readonly total: number; readonly gateways: Gateway[] }> {
    const { total, rows } = await listRows<GatewayRow>(
      this.#tx,
      {
        ...{ table: 'gateway', columns: GATEWAY, own: this.#own, fields },
        count: isByClass(query) ? (where) => this.#countAll(where) : undefined,
      },
      query,
    )
    return { total, gateways: rows.map(toGateway) }
  }

  /** False when its address has been taken by another gateway meanwhile. */
  async insert(gateway: Gateway): Promise<boolean> {
    const inserted = await this.#tx.run(
      sql`INSERT INTO gateway (${GATEWAY}, settings_hash)
          VALUES (${gateway.id}, ${this.#accountId}, ${this.#zone}, ${gateway.name},
                  ${gateway.description}, ${tagsToText(gateway.tags)}, ${gateway.iconId ?? null},
                  ${gateway.planId},
                  ${settingsToText(gateway.settings)}, ${settingsToText(gateway.appliedSettings)},
                  ${gateway.availableAt}, ${gateway.power}, ${gateway.powerChangedAt},
                  ${gateway.publicAddress}, ${formatCidr(gateway.publicSubnet)},
                  ${gateway.switchId ?? null}, ${gateway.createdAt},
                  ${settingsHash(gateway.settings) ?? null})
          ON CONFLICT (public_address) DO NOTHING`,
    )
    if (inserted === 1) await this.#addToCount(gateway.id, 1)
    return inserted === 1
  }

  /** All but the switch, whose connection is a race of its own. */
  async update(gateway: Gateway): Promise<void> {
    await this.#tx.run(
      sql`UPDATE gateway SET name = ${gateway.name}, description = ${gateway.description},
            tags = ${tagsToText(gateway.tags)}, icon_id = ${gateway.iconId ?? null},
            settings = ${settingsToText(gateway.settings)},
            settings_hash = ${settingsHash(gateway.settings) ?? null},
            applied_settings = ${settingsToText(gateway.appliedSettings)},
            power = ${gateway.power}, power_changed_at = ${gateway.powerChangedAt}
          WHERE ${this.#own} AND id = ${gateway.id}`,
    )
  }

  /** False when the switch serves another gateway already. */
  async connect(id: GatewayId, switchId: SwitchId): Promise<boolean> {
    const changed = await this.#tx.run(
      sql`UPDATE gateway SET switch_id = ${switchId}
          WHERE ${this.#own} AND id = ${id}
            AND NOT EXISTS (SELECT 1 FROM gateway other WHERE other.switch_id = ${switchId})`,
    )
    return changed === 1
  }

  async disconnect(id: GatewayId): Promise<void> {
    await this.#tx.run(sql`UPDATE gateway SET switch_id = NULL WHERE ${this.#own} AND id = ${id}`)
  }

  async delete(id: GatewayId): Promise<void> {
    const deleted = await this.#tx.run(sql`DELETE FROM gateway WHERE ${this.#own} AND id = ${id}`)
    await this.#addToCount(id, -deleted)
  }

  get #own(): Sql {
    return sql`account_id = ${this.#accountId} AND zone = ${this.#zone}`
  }

  /** From the kept count; `where` looks at nothing but the class, which is the same for all. */
  async #countAll(where: Sql): Promise<number> {
    const row = await this.#tx.first<{ total: number | null }>(
      sql`SELECT sum(gateways) AS total FROM gateway_count WHERE ${this.#own} AND ${where}`,
    )
    return row?.total ?? 0
  }

  async #addToCount(id: GatewayId, gateways: number): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO gateway_count (account_id, zone, shard, gateways)
          VALUES (${this.#accountId}, ${this.#zone}, ${Number(id) % SHARDS}, ${gateways})
          ON CONFLICT (account_id, zone, shard)
          DO UPDATE SET gateways = gateway_count.gateways + ${gateways}`,
    )
  }
}

/** For the network, which meets a gateway by its id alone, whoever owns it. */
export async function findGateway(tx: Tx, id: string): Promise<Gateway | undefined> {
  const row = await tx.first<GatewayRow>(sql`SELECT ${GATEWAY} FROM gateway WHERE id = ${id}`)
  return row && toGateway(row)
}

/** The same for many, by id. */
export async function findGateways(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Gateway>> {
  const rows = await tx.all<GatewayRow>(
    sql`SELECT ${GATEWAY} FROM gateway WHERE id IN ${list(ids)}`,
  )
  return new Map(rows.map((row) => [row.id, toGateway(row)]))
}

/** Those of all accounts and zones, in the order in which they were made: for an export of the world. */
export async function listGateways(tx: Tx): Promise<Gateway[]> {
  const rows = await tx.all<GatewayRow>(sql`SELECT ${GATEWAY} FROM gateway ORDER BY id`)
  return rows.map(toGateway)
}

function isByClass({ filter }: SearchQuery): boolean {
  return filter.every(({ path }) => path === 'Class' || path === 'Appliances.Class')
}

function settingsToText(settings: GatewaySettings | undefined): string | null {
  return settings === undefined ? null : JSON.stringify(settings)
}

function settingsFromText(text: string | null): GatewaySettings | undefined {
  return text === null ? undefined : JSON.parse(text)
}

function toGateway(row: GatewayRow): Gateway {
  const publicSubnet = parseCidr(row.public_subnet)
  if (publicSubnet === undefined) throw new Error(`Gateway ${row.id} has no subnet.`)
  return {
    id: row.id,
    accountId: row.account_id,
    zone: row.zone,
    name: row.name,
    description: row.description,
    tags: tagsFromText(row.tags),
    iconId: row.icon_id ?? undefined,
    planId: row.plan_id,
    settings: settingsFromText(row.settings),
    appliedSettings: settingsFromText(row.applied_settings),
    availableAt: new Date(row.available_at),
    power: row.power,
    powerChangedAt: new Date(row.power_changed_at),
    publicAddress: row.public_address,
    publicSubnet,
    switchId: row.switch_id ?? undefined,
    createdAt: new Date(row.created_at),
  }
}
