/** SIMs of all accounts by what a network knows of them: for packets and reports that come together. */
import type { Tx } from '../../storage/database.ts'
import { list, type SqlValue, sql } from '../../storage/sql.ts'
import type { Sim } from './rules.ts'
import { SIM, type SimRow, toSim } from './store.ts'

/** What names a SIM: its card, one of its IMSIs, or its telephone number. */
export interface Subscribers {
  readonly byIccid: ReadonlyMap<string, Sim>
  readonly byImsi: ReadonlyMap<string, Sim>
  readonly byMsisdn: ReadonlyMap<string, Sim>
}

type KeyedRow = SimRow & { subscriber_key: string }

export async function findSubscribers(
  tx: Tx,
  wanted: {
    readonly iccids: readonly string[]
    readonly imsis: readonly string[]
    readonly msisdns: readonly string[]
  },
): Promise<Subscribers> {
  const [byIccid, byImsi, byMsisdn] = await Promise.all([
    read(wanted.iccids, (keys) =>
      tx.all<KeyedRow>(
        sql`SELECT ${SIM}, iccid AS subscriber_key FROM sim WHERE iccid IN ${list(keys)}`,
      ),
    ),
    // Of two SIMs with one IMSI the older is meant.
    read(wanted.imsis, (keys) =>
      tx.all<KeyedRow>(
        sql`SELECT ${SIM}, imsi AS subscriber_key FROM sim_imsi JOIN sim ON sim.id = sim_imsi.sim_id
            WHERE imsi IN ${list(keys)} ORDER BY sim.id DESC`,
      ),
    ),
    read(wanted.msisdns, (keys) =>
      tx.all<KeyedRow>(
        sql`SELECT ${SIM}, numbered.msisdn AS subscriber_key
            FROM (SELECT iccid AS card, msisdn FROM sim_card WHERE msisdn IN ${list(keys)}) AS numbered
            JOIN sim ON sim.iccid = numbered.card`,
      ),
    ),
  ])
  return { byIccid, byImsi, byMsisdn }
}

async function read(
  wanted: readonly string[],
  query: (keys: readonly SqlValue[]) => Promise<KeyedRow[]>,
): Promise<ReadonlyMap<string, Sim>> {
  if (wanted.length === 0) return new Map()
  const rows = await query(padded(wanted))
  return new Map(rows.map((row) => [row.subscriber_key, toSim(row)]))
}

/** To a power of two, by the last one again: an engine meets few texts, and has prepared them all. */
export function padded(wanted: readonly string[]): string[] {
  const keys = [...new Set(wanted)]
  const last = keys.at(-1)
  const size = 2 ** Math.ceil(Math.log2(Math.max(keys.length, 1)))
  return last === undefined
    ? []
    : [...keys, ...Array.from({ length: size - keys.length }, () => last)]
}
