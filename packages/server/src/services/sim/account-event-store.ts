import type { AccountId, ItemId } from '../../kernel/ids.ts'
import type { Tx } from '../../storage/database.ts'
import { sql } from '../../storage/sql.ts'
import type { DeviceEvent } from './log-rules.ts'

/** How many of the newest of all accounts are looked through: a bound for an account where little happens. */
const LOOKED_AT = 2000

interface Row {
  id: number
  at: number
  event: string
  sim_id: ItemId
  name: string
  iccid: string
}

/** Newest first. */
export async function listDeviceEvents(
  tx: Tx,
  accountId: AccountId,
  most: number,
): Promise<DeviceEvent[]> {
  const sessions = await tx.all<Row>(
    sql`SELECT log.id, log.logged_at AS at, log.event, sim.id AS sim_id, item.name, sim.iccid
        FROM (SELECT id, logged_at, event, sim_id FROM session_log
              ORDER BY id DESC LIMIT ${LOOKED_AT}) AS log
        JOIN sim ON sim.id = log.sim_id JOIN item ON item.id = sim.id
        WHERE sim.account_id = ${accountId} ORDER BY log.id DESC LIMIT ${most}`,
  )
  const refusals = await tx.all<Row>(
    sql`SELECT log.id, log.refused_at AS at, log.reason AS event, sim.id AS sim_id, item.name, sim.iccid
        FROM (SELECT id, refused_at, reason, iccid FROM refusal
              ORDER BY id DESC LIMIT ${LOOKED_AT}) AS log
        JOIN sim ON sim.iccid = log.iccid JOIN item ON item.id = sim.id
        WHERE sim.account_id = ${accountId} ORDER BY log.id DESC LIMIT ${most}`,
  )
  const events = [
    ...sessions.map((row) => toEvent(row, row.event === 'Created' ? 'attached' : 'detached')),
    ...refusals.map((row) => toEvent(row, 'refused', row.event)),
  ]
  return events.sort((a, b) => b.id - a.id).slice(0, most)
}

function toEvent(row: Row, event: DeviceEvent['event'], reason?: string): DeviceEvent {
  const { id, at, sim_id: simId, name, iccid } = row
  return { id, at: new Date(at), event, simId, name, iccid, reason }
}
