import type { ItemId } from '../../kernel/ids.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { AgedRows } from '../../storage/aged-rows.ts'
import type { Tx } from '../../storage/database.ts'
import { compileSearch, type SearchFields } from '../../storage/search.ts'
import { list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { ElementRequest, Outcome, State } from './rules.ts'

interface RequestRow {
  id: number
  element: string
  kind: ElementRequest['kind']
  cause: string
  sim_id: ItemId
  session_id: number
  acct_session_id: string
  imsi: string
  ip: number
  bits_per_second: number | null
  state: State
  error_cause: string | null
  reason: string | null
  attempts: number
  created_at: number
  answered_at: number | null
}

const REQUEST = raw(`id, element, kind, cause, sim_id, session_id, acct_session_id, imsi, ip,
  bits_per_second, state, error_cause, reason, attempts, created_at, answered_at`)

const FIELDS: SearchFields = {
  id: { column: raw('id'), type: 'number' },
  element: { column: raw('element'), type: 'text', exact: true },
  kind: { column: raw('kind'), type: 'text', exact: true },
  cause: { column: raw('cause'), type: 'text', exact: true },
  state: { column: raw('state'), type: 'text', exact: true },
  resource_id: { column: raw('sim_id'), type: 'text', exact: true },
  acct_session_id: { column: raw('acct_session_id'), type: 'text', exact: true },
  created_at: { column: raw('created_at'), type: 'datetime' },
}

/** Requests to all elements, about sessions of all accounts: the operator's view. */
export class RequestStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async insert(request: ElementRequest): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO element_request (${REQUEST})
          VALUES (${request.id}, ${request.element}, ${request.kind}, ${request.cause},
                  ${request.simId}, ${request.sessionId}, ${request.acctSessionId},
                  ${request.imsi}, ${request.ip}, ${request.bitsPerSecond ?? null},
                  ${request.state}, ${request.errorCause ?? null}, ${request.reason ?? null},
                  ${request.attempts}, ${request.createdAt}, ${request.answeredAt ?? null})`,
    )
  }

  /** What waits to change the bandwidth of a session is needless by now; answers with these. */
  replaceShaping(
    simId: ItemId,
    sessionId: number,
  ): Promise<Pick<ElementRequest, 'id' | 'attempts'>[]> {
    return this.#tx.all(
      sql`UPDATE element_request SET state = 'replaced'
          WHERE sim_id = ${simId} AND session_id = ${sessionId} AND kind = 'coa'
            AND state = 'waiting'
          RETURNING id, attempts`,
    )
  }

  /** False when it does not wait any more. */
  async update(id: number, attempts: number, outcome: Outcome): Promise<boolean> {
    const updated = await this.#tx.run(
      sql`UPDATE element_request
          SET state = ${outcome.state}, error_cause = ${outcome.errorCause ?? null},
              reason = ${outcome.reason ?? null}, attempts = ${attempts},
              answered_at = ${outcome.answeredAt ?? null}
          WHERE id = ${id} AND state = 'waiting'`,
    )
    return updated === 1
  }

  async setReason(ids: readonly number[], reason: string): Promise<void> {
    await this.#tx.run(sql`UPDATE element_request SET reason = ${reason} WHERE id IN ${list(ids)}`)
  }

  async listWaiting(ids: readonly number[]): Promise<ElementRequest[]> {
    return this.#list(sql`id IN ${list(ids)} AND state = 'waiting' ORDER BY id`)
  }

  async listWaitingElements(): Promise<string[]> {
    const rows = await this.#tx.all<{ element: string }>(
      raw(`SELECT DISTINCT element FROM element_request WHERE state = 'waiting' ORDER BY element`),
    )
    return rows.map(({ element }) => element)
  }

  async countWaiting(): Promise<number> {
    const row = await this.#tx.first<{ total: number }>(
      raw(`SELECT count(*) AS total FROM element_request WHERE state = 'waiting'`),
    )
    return row?.total ?? 0
  }

  /** Newest first, unless the search has an order of its own. */
  async search(query: SearchQuery): Promise<{ total: number; requests: ElementRequest[] }> {
    const { where, orderBy } = compileSearch(query, FIELDS, raw('id'))
    const order = query.sort.length === 0 ? raw('id DESC') : orderBy
    const counted = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM element_request WHERE ${where}`,
    )
    const requests = await this.#list(
      sql`${where} ORDER BY ${order} LIMIT ${query.count} OFFSET ${query.from}`,
    )
    return { total: counted?.total ?? 0, requests }
  }

  async #list(rest: Sql): Promise<ElementRequest[]> {
    const rows = await this.#tx.all<RequestRow>(
      sql`SELECT ${REQUEST} FROM element_request WHERE ${rest}`,
    )
    return rows.map(toRequest)
  }
}

/** What waits stays. */
export const AGED_REQUESTS: AgedRows = {
  ...{ table: 'element_request', key: 'id', time: 'created_at', where: "state <> 'waiting'" },
}

function toRequest(row: RequestRow): ElementRequest {
  return {
    id: row.id,
    element: row.element,
    kind: row.kind,
    cause: row.cause,
    simId: row.sim_id,
    sessionId: row.session_id,
    acctSessionId: row.acct_session_id,
    imsi: row.imsi,
    ip: row.ip,
    bitsPerSecond: row.bits_per_second ?? undefined,
    state: row.state,
    errorCause: row.error_cause ?? undefined,
    reason: row.reason ?? undefined,
    attempts: row.attempts,
    createdAt: new Date(row.created_at),
    answeredAt: row.answered_at === null ? undefined : new Date(row.answered_at),
  }
}
