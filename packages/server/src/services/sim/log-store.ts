import type { ItemId } from '../../kernel/ids.ts'
import { RowStatements } from '../../kernel/row-statements.ts'
import type { SearchQuery } from '../../kernel/search-query.ts'
import type { Tx } from '../../storage/database.ts'
import { type CompiledSearch, compileSearch, type SearchFields } from '../../storage/search.ts'
import { raw, type Sql, sql } from '../../storage/sql.ts'
import { type LogEntry, REFUSALS_KEPT, type Refused } from './log-rules.ts'
import type { Reason } from './session-rules.ts'

interface LogRow {
  id: number
  sim_id: ItemId
  network_id: string
  event: LogEntry['event']
  imei: string | null
  imsi: string
  logged_at: number
}

interface RefusalRow {
  iccid: string
  imei: string
  carrier: string
  reason: Reason
  refused_at: number
  element: string | null
}

const COLUMNS = 'id, sim_id, network_id, event, imei, imsi, logged_at'
const LOG = raw(COLUMNS)
const ENTRIES = new RowStatements(`INSERT INTO session_log (${COLUMNS}) VALUES `, 7, '')

const REFUSAL = raw('iccid, imei, carrier, reason, refused_at, element')

/** By what session logs can be searched and sorted: what they show. */
const LOG_FIELDS: SearchFields = {
  date: { column: raw('logged_at'), type: 'datetime' },
  session_status: { column: raw('event'), type: 'text' },
  resource_id: { column: raw('sim_id'), type: 'text' },
  imei: { column: raw('imei'), type: 'text' },
  imsi: { column: raw('imsi'), type: 'text' },
}

/** What happened to sessions, and who was not let in. */
export class LogStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  insert(entry: LogEntry): Promise<void> {
    return this.insertAll([entry])
  }

  async insertAll(entries: readonly LogEntry[]): Promise<void> {
    const rows = entries.map((entry) => [
      ...[entry.id, entry.simId, entry.networkId, entry.event, entry.imei ?? null, entry.imsi],
      entry.at.getTime(),
    ])
    for (const query of ENTRIES.of(rows)) await this.#tx.run(query)
  }

  listOfSim(simId: ItemId, query: SearchQuery): Promise<LogEntry[]> {
    return this.#list(sql`sim_id = ${simId}`, query)
  }

  listOfNetwork(networkId: string, query: SearchQuery): Promise<LogEntry[]> {
    return this.#list(sql`network_id = ${networkId}`, query)
  }

  /** Newest first, unless the query has an order of its own. */
  async #list(own: Sql, query: SearchQuery): Promise<LogEntry[]> {
    const { where, orderBy } = compileSearch(query, LOG_FIELDS, raw('id'))
    const order = query.sort.length === 0 ? raw('id DESC') : orderBy
    const rows = await this.#tx.all<LogRow>(
      sql`SELECT ${LOG} FROM session_log WHERE ${own} AND ${where}
          ORDER BY ${order} LIMIT ${query.count} OFFSET ${query.from}`,
    )
    return rows.map((row) => ({
      id: row.id,
      simId: row.sim_id,
      networkId: row.network_id,
      event: row.event,
      imei: row.imei ?? undefined,
      imsi: row.imsi,
      at: new Date(row.logged_at),
    }))
  }

  async insertRefusal(refused: Refused): Promise<void> {
    const { iccid } = refused
    await this.#tx.run(
      sql`INSERT INTO refusal (id, iccid, imei, carrier, reason, refused_at, element)
          VALUES (${await this.#tx.next('session')}, ${iccid}, ${refused.imei}, ${refused.carrier},
                  ${refused.reason}, ${refused.at}, ${refused.element?.name ?? null})`,
    )
    await this.#tx.run(
      sql`DELETE FROM refusal WHERE iccid = ${iccid} AND id NOT IN
            (SELECT id FROM refusal WHERE iccid = ${iccid} ORDER BY id DESC LIMIT ${REFUSALS_KEPT})`,
    )
  }

  /** Newest first. */
  async listRefusals(iccid: string): Promise<Refused[]> {
    const rows = await this.#tx.all<RefusalRow>(
      sql`SELECT ${REFUSAL} FROM refusal
          WHERE iccid = ${iccid} ORDER BY id DESC`,
    )
    return rows.map(toRefused)
  }

  /** Of all cards. */
  async searchRefusals(
    { where, orderBy }: CompiledSearch,
    from: number,
    count: number,
  ): Promise<{ readonly total: number; readonly refusals: Refused[] }> {
    const row = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM refusal WHERE ${where}`,
    )
    const rows = await this.#tx.all<RefusalRow>(
      sql`SELECT ${REFUSAL} FROM refusal WHERE ${where}
          ORDER BY ${orderBy} LIMIT ${count} OFFSET ${from}`,
    )
    return { total: row?.total ?? 0, refusals: rows.map(toRefused) }
  }

  async oldest(): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      raw(`SELECT min(oldest) AS oldest FROM (SELECT min(logged_at) AS oldest FROM session_log
           UNION ALL SELECT min(refused_at) AS oldest FROM refusal) AS rows`),
    )
    return row?.oldest ?? undefined
  }

  /** At most `most` of each; answers with how many that were. */
  async deleteBefore(time: Date, most: number): Promise<number> {
    const logged = await this.#tx.run(
      sql`DELETE FROM session_log WHERE id IN
            (SELECT id FROM session_log WHERE logged_at < ${time} ORDER BY logged_at LIMIT ${most})`,
    )
    const refused = await this.#tx.run(
      sql`DELETE FROM refusal WHERE id IN
            (SELECT id FROM refusal WHERE refused_at < ${time} ORDER BY refused_at LIMIT ${most})`,
    )
    return logged + refused
  }
}

function toRefused({ refused_at, element, ...row }: RefusalRow): Refused {
  const at = new Date(refused_at)
  return {
    ...row,
    at,
    element: element === null ? undefined : { name: element, acctSessionId: '' },
  }
}
