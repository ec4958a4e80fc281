import { NotFound } from '../../kernel/errors.ts'
import type { ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { compileSearch, type SearchFields } from '../../storage/search.ts'
import { list, raw, sql } from '../../storage/sql.ts'
import type { Attempt, Delivery } from './delivery-rules.ts'

interface DeliveryRow {
  id: number
  project_id: ItemId
  number: number
  adapter_id: string
  status: Delivery['status']
  attempts: number
  reason: string | null
  response_code: number | null
  created_at: number
  done_at: number | null
}

const DELIVERY = raw(`id, project_id, number, adapter_id, status, attempts, reason, response_code,
  created_at, done_at`)

const FIELDS: SearchFields = {
  id: { column: raw('id'), type: 'number' },
  project_id: { column: raw('project_id'), type: 'text', exact: true },
  service_id: { column: raw('adapter_id'), type: 'text', exact: true },
  status: { column: raw('status'), type: 'text', exact: true },
  response_code: { column: raw('response_code'), type: 'number' },
  created_at: { column: raw('created_at'), type: 'datetime' },
}

/** The operator's view: the deliveries of all projects. */
export class DeliveryStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async insert(delivery: Delivery): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_delivery (${DELIVERY})
          VALUES (${delivery.id}, ${delivery.projectId}, ${delivery.number},
                  ${delivery.adapterId}, ${delivery.status}, ${delivery.attempts},
                  ${delivery.reason ?? null}, ${delivery.responseCode ?? null},
                  ${delivery.createdAt}, ${delivery.doneAt ?? null})`,
    )
  }

  async find(id: number): Promise<Delivery | undefined> {
    const row = await this.#tx.first<DeliveryRow>(
      sql`SELECT ${DELIVERY} FROM iot_delivery WHERE id = ${id}`,
    )
    return row && toDelivery(row)
  }

  async get(id: number): Promise<Delivery> {
    const delivery = await this.find(id)
    if (delivery === undefined) {
      throw new NotFound(`There is no webhook ${id}.`, `Webhook ${id} は存在しません。`)
    }
    return delivery
  }

  async update(delivery: Delivery): Promise<void> {
    await this.#tx.run(
      sql`UPDATE iot_delivery SET status = ${delivery.status}, attempts = ${delivery.attempts},
            reason = ${delivery.reason ?? null}, response_code = ${delivery.responseCode ?? null},
            done_at = ${delivery.doneAt ?? null}
          WHERE id = ${delivery.id}`,
    )
  }

  async insertAttempt(deliveryId: number, attempt: Attempt): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO iot_attempt (delivery_id, place, outcome, response_code, at)
          VALUES (${deliveryId}, ${attempt.place}, ${attempt.outcome},
                  ${attempt.responseCode ?? null}, ${attempt.at})`,
    )
  }

  /** Newest first, unless the search says otherwise. */
  async list(query: SearchQuery): Promise<{ total: number; deliveries: Delivery[] }> {
    const { where, orderBy } = compileSearch(query, FIELDS, raw('id'))
    const order = query.sort.length === 0 ? raw('id DESC') : orderBy
    const counted = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM iot_delivery WHERE ${where}`,
    )
    const rows = await this.#tx.all<DeliveryRow>(
      sql`SELECT ${DELIVERY} FROM iot_delivery WHERE ${where}
          ORDER BY ${order} LIMIT ${query.count} OFFSET ${query.from}`,
    )
    return { total: counted?.total ?? 0, deliveries: rows.map(toDelivery) }
  }

  /** By the number of the message. */
  async listOfMessages(
    projectId: ItemId,
    numbers: readonly number[],
  ): Promise<ReadonlyMap<number, Delivery[]>> {
    const rows = await this.#tx.all<DeliveryRow>(
      sql`SELECT ${DELIVERY} FROM iot_delivery
          WHERE project_id = ${projectId} AND number IN ${list(numbers)} ORDER BY id`,
    )
    return Map.groupBy(rows.map(toDelivery), ({ number }) => number)
  }

  async listAttempts(ids: readonly number[]): Promise<ReadonlyMap<number, Attempt[]>> {
    const rows = await this.#tx.all<{
      delivery_id: number
      place: number
      outcome: Attempt['outcome']
      response_code: number | null
      at: number
    }>(
      sql`SELECT delivery_id, place, outcome, response_code, at FROM iot_attempt
          WHERE delivery_id IN ${list(ids)} ORDER BY delivery_id, place`,
    )
    const all = new Map<number, Attempt[]>(ids.map((id) => [id, []]))
    for (const { delivery_id, place, outcome, response_code, at } of rows) {
      const attempt = { place, outcome, responseCode: response_code ?? undefined, at: new Date(at) }
      all.get(delivery_id)?.push(attempt)
    }
    return all
  }

  /** Those that ended before then; answers with how many they were. */
  async oldest(status: 'delivered' | 'dead'): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      sql`SELECT min(created_at) AS oldest FROM iot_delivery WHERE status = ${status}`,
    )
    return row?.oldest ?? undefined
  }

  async forget(status: 'delivered' | 'dead', before: Date, most: number): Promise<number> {
    const rows = await this.#tx.all<{ id: number }>(
      sql`SELECT id FROM iot_delivery WHERE status = ${status} AND created_at < ${before}
          ORDER BY created_at LIMIT ${most}`,
    )
    const ids = list(rows.map(({ id }) => id))
    await this.#tx.run(sql`DELETE FROM iot_attempt WHERE delivery_id IN ${ids}`)
    return this.#tx.run(sql`DELETE FROM iot_delivery WHERE id IN ${ids}`)
  }
}

/** The adapter is no more: nothing is to be delivered to it. */
export async function deleteDeliveriesOf(tx: Tx, adapterId: string): Promise<void> {
  await tx.run(
    sql`DELETE FROM iot_attempt WHERE delivery_id IN
          (SELECT id FROM iot_delivery WHERE adapter_id = ${adapterId})`,
  )
  await tx.run(sql`DELETE FROM iot_delivery WHERE adapter_id = ${adapterId}`)
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    projectId: row.project_id,
    number: row.number,
    adapterId: row.adapter_id,
    status: row.status,
    attempts: row.attempts,
    reason: row.reason ?? undefined,
    responseCode: row.response_code ?? undefined,
    createdAt: new Date(row.created_at),
    doneAt: row.done_at === null ? undefined : new Date(row.done_at),
  }
}
