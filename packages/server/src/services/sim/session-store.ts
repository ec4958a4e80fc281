import type { ItemId } from '../../kernel/ids.ts'
import { RowStatements } from '../../kernel/row-statements.ts'
import type { Tx } from '../../storage/database.ts'
import type { CompiledSearch } from '../../storage/search.ts'
import { join, list, raw, type Sql, sql } from '../../storage/sql.ts'
import type { ElementSession, NetworkKey, Session, Traffic } from './session-rules.ts'

interface SessionRow {
  sim_id: ItemId
  id: number
  iccid: string
  imsi: string
  network_kind: NetworkKey['kind']
  network_id: string
  imei: string
  carrier: string
  ip: number
  ip_fixed: number
  started_at: number
  uplink_bytes: number
  downlink_bytes: number
  counted_at: number
  element: string | null
  acct_session_id: string | null
  seen_at: number | null
  bits_per_second: number | null
}

const COLUMNS = `sim_id, id, iccid, imsi, network_kind, network_id, imei, carrier, ip, ip_fixed,
  started_at, uplink_bytes, downlink_bytes, counted_at, element, acct_session_id, seen_at,
  bits_per_second`
const SESSION = raw(COLUMNS)
const INSERT = new RowStatements(
  `INSERT INTO session (${COLUMNS}) VALUES `,
  18,
  ' ON CONFLICT DO NOTHING',
)

/** Live sessions of all accounts: the network's side. A caller's own go through its SIMs. */
export class SessionStore {
  readonly #tx: Tx

  constructor(tx: Tx) {
    this.#tx = tx
  }

  find(simId: string): Promise<Session | undefined> {
    return this.#first(sql`sim_id = ${simId}`)
  }

  findByAddress(network: NetworkKey, ip: number): Promise<Session | undefined> {
    return this.#first(sql`${inNetwork(network)} AND ip = ${ip}`)
  }

  async #first(where: Sql): Promise<Session | undefined> {
    const row = await this.#tx.first<SessionRow>(sql`SELECT ${SESSION} FROM session WHERE ${where}`)
    return row && toSession(row)
  }

  async listBySims(simIds: readonly string[]): Promise<Session[]> {
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session WHERE sim_id IN ${list(simIds)}`,
    )
    return rows.map(toSession)
  }

  async listOf(network: NetworkKey): Promise<Session[]> {
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session WHERE ${inNetwork(network)} ORDER BY ip`,
    )
    return rows.map(toSession)
  }

  async listOfElement(name: string, before: Date): Promise<Session[]> {
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session WHERE element = ${name} AND started_at <= ${before}
          ORDER BY acct_session_id, sim_id`,
    )
    return rows.map(toSession)
  }

  /** Sessions of elements that were given another bandwidth than this one. */
  async listOtherwiseLimited(
    network: NetworkKey,
    bitsPerSecond: number | undefined,
    most: number,
  ): Promise<Session[]> {
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session
          WHERE ${inNetwork(network)} AND element IS NOT NULL
            AND coalesce(bits_per_second, 0) <> ${bitsPerSecond ?? 0}
          ORDER BY ip LIMIT ${most}`,
    )
    return rows.map(toSession)
  }

  /** Of elements, in the order in which they were last heard of. */
  async listUnseen(before: Date, most: number): Promise<Session[]> {
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session WHERE seen_at <= ${before} ORDER BY seen_at LIMIT ${most}`,
    )
    return rows.map(toSession)
  }

  async setBandwidth(simIds: readonly string[], bitsPerSecond: number | undefined): Promise<void> {
    await this.#tx.run(
      sql`UPDATE session SET bits_per_second = ${bitsPerSecond ?? null}
          WHERE sim_id IN ${list(simIds)}`,
    )
  }

  /** The networks of sessions whose bandwidth is limited. */
  async listLimitedNetworks(): Promise<string[]> {
    const rows = await this.#tx.all<{ network_id: string }>(
      raw('SELECT DISTINCT network_id FROM session WHERE bits_per_second IS NOT NULL'),
    )
    return rows.map(({ network_id }) => network_id)
  }

  async oldestSeen(): Promise<number | undefined> {
    const row = await this.#tx.first<{ oldest: number | null }>(
      raw('SELECT min(seen_at) AS oldest FROM session'),
    )
    return row?.oldest ?? undefined
  }

  async listByElements(names: readonly ElementSession[]): Promise<Session[]> {
    if (names.length === 0) return []
    const keys = names.map(({ name, acctSessionId }) => sql`(${name}, ${acctSessionId})`)
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session
          WHERE (element, acct_session_id) IN (VALUES ${join(keys, ', ')})`,
    )
    return rows.map(toSession)
  }

  async search(
    { where, orderBy }: CompiledSearch,
    from: number,
    count: number,
  ): Promise<{ readonly total: number; readonly sessions: Session[] }> {
    const row = await this.#tx.first<{ total: number }>(
      sql`SELECT count(*) AS total FROM session WHERE ${where}`,
    )
    const rows = await this.#tx.all<SessionRow>(
      sql`SELECT ${SESSION} FROM session WHERE ${where} ORDER BY ${orderBy}
          LIMIT ${count} OFFSET ${from}`,
    )
    return { total: row?.total ?? 0, sessions: rows.map(toSession) }
  }

  /** Addresses of this part of the network that a session has or a SIM keeps for itself. */
  async listTaken(network: NetworkKey, first: number, last: number): Promise<Set<number>> {
    const rows = await this.#tx.all<{ ip: number }>(
      sql`SELECT ip FROM session WHERE ${inNetwork(network)} AND ip BETWEEN ${first} AND ${last}
          UNION
          SELECT ip FROM sim WHERE gateway_id = ${network.id} AND ip BETWEEN ${first} AND ${last}`,
    )
    return new Set(rows.map(({ ip }) => ip))
  }

  /** Which of these addresses a session has or a SIM keeps for itself. */
  async listTakenOf(network: NetworkKey, addresses: readonly number[]): Promise<Set<number>> {
    const rows = await this.#tx.all<{ ip: number }>(
      sql`SELECT ip FROM session WHERE ${inNetwork(network)} AND ip IN ${list(addresses)}
          UNION
          SELECT ip FROM sim WHERE gateway_id = ${network.id} AND ip IN ${list(addresses)}`,
    )
    return new Set(rows.map(({ ip }) => ip))
  }

  /** False when the address is taken. */
  async insert(session: Session): Promise<boolean> {
    return (await this.#insert([session])) === 1
  }

  /** Whoever calls has seen that none of the addresses is taken. */
  async insertAll(sessions: readonly Session[]): Promise<void> {
    const inserted = await this.#insert(sessions)
    if (inserted !== sessions.length) throw new Error('An address of a session is taken.')
  }

  async #insert(sessions: readonly Session[]): Promise<number> {
    const counts = await Promise.all(
      INSERT.of(sessions.map(toValues)).map((query) => this.#tx.run(query)),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async count(session: Session, added: Traffic, at: Date): Promise<void> {
    await this.#tx.run(
      sql`UPDATE session SET uplink_bytes = ${plus('uplink_bytes', added.uplinkBytes)},
            downlink_bytes = ${plus('downlink_bytes', added.downlinkBytes)},
            counted_at = CASE WHEN counted_at < ${at} THEN ${at} ELSE counted_at END
          WHERE sim_id = ${session.simId}`,
    )
  }

  async delete(session: Session): Promise<void> {
    await this.#tx.run(sql`DELETE FROM session WHERE sim_id = ${session.simId}`)
  }

  async deleteAll(sessions: readonly Session[]): Promise<void> {
    const ids = sessions.map(({ simId }) => simId)
    await this.#tx.run(sql`DELETE FROM session WHERE sim_id IN ${list(ids)}`)
  }
}

/** Stops at what a number can hold, instead of becoming what nobody can read. */
function plus(column: string, bytes: number): Sql {
  const most = Number.MAX_SAFE_INTEGER
  const name = raw(column)
  return sql`CASE WHEN ${name} > ${most - bytes} THEN ${most} ELSE ${name} + ${bytes} END`
}

function inNetwork({ kind, id }: NetworkKey): Sql {
  return sql`network_id = ${id} AND network_kind = ${kind}`
}

function toValues(session: Session) {
  const { network, element } = session
  return [
    ...[session.simId, session.id, session.iccid, session.imsi, network.kind, network.id],
    ...[session.imei, session.carrier, session.ip, session.isIpFixed ? 1 : 0],
    ...[session.since.getTime(), session.uplinkBytes, session.downlinkBytes],
    ...[session.countedAt.getTime(), element?.name ?? null, element?.acctSessionId ?? null],
    ...[session.seenAt?.getTime() ?? null, session.bitsPerSecond ?? null],
  ]
}

function toSession(row: SessionRow): Session {
  return {
    id: row.id,
    simId: row.sim_id,
    iccid: row.iccid,
    imsi: row.imsi,
    network: { kind: row.network_kind, id: row.network_id },
    imei: row.imei,
    carrier: row.carrier,
    ip: row.ip,
    isIpFixed: row.ip_fixed === 1,
    since: new Date(row.started_at),
    uplinkBytes: row.uplink_bytes,
    downlinkBytes: row.downlink_bytes,
    countedAt: new Date(row.counted_at),
    element:
      row.element === null
        ? undefined
        : { name: row.element, acctSessionId: row.acct_session_id ?? '' },
    seenAt: row.seen_at === null ? undefined : new Date(row.seen_at),
    bitsPerSecond: row.bits_per_second ?? undefined,
  }
}

/** How many live sessions each element has. */
export async function countElementSessions(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.all<{ element: string; sessions: number }>(
    raw(`SELECT element, count(*) AS sessions FROM session WHERE element IS NOT NULL
         GROUP BY element`),
  )
  return new Map(rows.map(({ element, sessions }) => [element, sessions]))
}
