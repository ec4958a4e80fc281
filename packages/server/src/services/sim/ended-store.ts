import type { ItemId } from '../../kernel/ids.ts'
import { RowStatements } from '../../kernel/row-statements.ts'
import type { Tx } from '../../storage/database.ts'
import { join, raw, type Sql, sql } from '../../storage/sql.ts'
import type { Device, ElementSession, EndCause, NetworkKey, Traffic } from './session-rules.ts'

/** A session of an element that is over, and what it has used. */
export interface EndedSession extends Traffic, Device {
  readonly element: ElementSession
  readonly simId: ItemId
  /** As the session had them; undefined for one that was never live here. */
  readonly ip: number | undefined
  readonly network: NetworkKey | undefined
  readonly endedAt: Date
  readonly cause: EndCause
}

interface EndedRow {
  element: string
  acct_session_id: string
  sim_id: ItemId
  imei: string
  carrier: string
  ip: number | null
  network_kind: NetworkKey['kind'] | null
  network_id: string | null
  uplink_bytes: number
  downlink_bytes: number
  ended_at: number
  cause: EndCause
}

const COLUMNS = `element, acct_session_id, sim_id, imei, carrier, ip, network_kind, network_id,
  uplink_bytes, downlink_bytes, ended_at, cause`
const ENDED = raw(COLUMNS)
const PUT = new RowStatements(
  `INSERT INTO ended_session (${COLUMNS}) VALUES `,
  12,
  ` ON CONFLICT (element, acct_session_id, sim_id) DO UPDATE SET
      uplink_bytes = excluded.uplink_bytes, downlink_bytes = excluded.downlink_bytes,
      ended_at = excluded.ended_at, cause = excluded.cause`,
)

/** Remembered, so that what an element repeats or sends late adds nothing twice. */
export class EndedStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async list(sessions: readonly ElementSession[]): Promise<EndedSession[]> {
    if (sessions.length === 0) return []
    const rows = await this.#tx.all<EndedRow>(
      sql`SELECT ${ENDED} FROM ended_session WHERE (element, acct_session_id) IN (VALUES ${keys(sessions)})`,
    )
    return rows.map(toEnded)
  }

  async put(sessions: readonly EndedSession[]): Promise<void> {
    for (const query of PUT.of(sessions.map(toValues))) await this.#tx.run(query)
  }

  /** Remembers a packet that is about no session of its own. */
  async mark({ name, acctSessionId }: ElementSession, now: Date): Promise<void> {
    await this.#tx.run(
      sql`INSERT INTO ended_session (${ENDED})
          VALUES (${name}, ${acctSessionId}, '', '', '', NULL, NULL, NULL, 0, 0, ${now},
                  'element_restart')`,
    )
  }

  async delete(sessions: readonly Pick<EndedSession, 'element' | 'simId'>[]): Promise<void> {
    for (const { element, simId } of sessions) {
      await this.#tx.run(
        sql`DELETE FROM ended_session WHERE element = ${element.name}
              AND acct_session_id = ${element.acctSessionId} AND sim_id = ${simId}`,
      )
    }
  }

  async oldest(): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      raw('SELECT min(ended_at) AS oldest FROM ended_session'),
    )
    return row?.oldest ?? undefined
  }

  async deleteBefore(time: Date, most: number): Promise<number> {
    return this.#tx.run(
      sql`DELETE FROM ended_session WHERE (element, acct_session_id, sim_id) IN
            (SELECT element, acct_session_id, sim_id FROM ended_session
             WHERE ended_at < ${time} ORDER BY ended_at LIMIT ${most})`,
    )
  }
}

/** `(element, id), …` for a list of values. */
export function keys(sessions: readonly ElementSession[]): Sql {
  return join(
    sessions.map(({ name, acctSessionId }) => sql`(${name}, ${acctSessionId})`),
    ', ',
  )
}

function toValues(one: EndedSession) {
  const { element, network } = one
  return [
    ...[element.name, element.acctSessionId, one.simId, one.imei, one.carrier, one.ip ?? null],
    ...[network?.kind ?? null, network?.id ?? null, one.uplinkBytes, one.downlinkBytes],
    ...[one.endedAt.getTime(), one.cause],
  ]
}

function toEnded(row: EndedRow): EndedSession {
  const { network_kind: kind, network_id: id } = row
  return {
    element: { name: row.element, acctSessionId: row.acct_session_id },
    simId: row.sim_id,
    imei: row.imei,
    carrier: row.carrier,
    ip: row.ip ?? undefined,
    network: kind === null || id === null ? undefined : { kind, id },
    uplinkBytes: row.uplink_bytes,
    downlinkBytes: row.downlink_bytes,
    endedAt: new Date(row.ended_at),
    cause: row.cause,
  }
}
