/** Gives sessions the bandwidth that their gateways have now, some hundred sessions in a transaction. */
import { nextJapanMonthStart } from '../../kernel/datetime.ts'
import { parseId } from '../../kernel/ids.ts'
import type { Job } from '../../kernel/job.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { type Networks, SessionShaping } from '../sim/public.ts'
import { listShaped, PartsStore } from './parts-store.ts'
import { SHAPING_JOB } from './shaping.ts'

const SESSIONS_AT_ONCE = 200

export function shapingJob(networks: Networks, clock: { now(): Date }): Job<Database> {
  return {
    name: SHAPING_JOB,
    nextDue: (database) => database.read((tx) => nextDue(tx, networks, clock.now())),
    async run(database, now, signal) {
      const gateways = await database.read((tx) => shapedGateways(tx, networks))
      let changed = 0
      for (const id of gateways) {
        while (!signal?.aborted) {
          const some = await database.write((tx) => shapeSome(tx, networks, id, now))
          changed += some
          if (some === 0) break
        }
      }
      return `the bandwidth of ${changed} sessions changed`
    },
  }
}

/** At once where a session has another bandwidth than it should; else when the month ends. */
async function nextDue(tx: Tx, networks: Networks, now: Date): Promise<Date | undefined> {
  const gateways = await shapedGateways(tx, networks)
  const shaping = new SessionShaping(tx, networks)
  for (const id of gateways) {
    const network = { kind: 'gateway', id } as const
    if ((await networks.bandwidth?.(tx, network, now)) === undefined) return now
    if (await shaping.isDue(network, now)) return now
  }
  return gateways.length === 0 ? undefined : nextJapanMonthStart(now)
}

/** Those where shaping has begun, and those whose sessions are still limited without it. */
async function shapedGateways(tx: Tx, networks: Networks): Promise<readonly string[]> {
  const limited = await new SessionShaping(tx, networks).listLimited()
  return [...new Set<string>([...(await listShaped(tx)), ...limited])]
}

async function shapeSome(tx: Tx, networks: Networks, id: string, now: Date): Promise<number> {
  const network = { kind: 'gateway', id } as const
  const changed = await new SessionShaping(tx, networks).apply(network, now, SESSIONS_AT_ONCE)
  const gatewayId = parseId<'gateway'>(id)
  const isOver = changed === 0 && (await networks.bandwidth?.(tx, network, now)) === undefined
  if (isOver && gatewayId !== undefined) await new PartsStore(tx, gatewayId).setShaped(undefined)
  return changed
}
