/**
 * Devices behind elements of a real network get less bandwidth while their gateway is shaped. The month's traffic
 * and the settings decide that (docs/gateways.md); here it is noted when that changes, and a job asks the elements.
 */
import { japanMonth } from '../../kernel/datetime.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { PartsStore } from './parts-store.ts'
import type { GatewayId } from './rules.ts'
import { shapedBitsPerSecond, type Traffic, type TrafficControl } from './traffic-rules.ts'

export const SHAPING_JOB = 'gateway-shaping'

/** The quota was passed by a report of this time. */
export async function beginShaping(tx: Tx, id: GatewayId, at: Date, wake: Wake): Promise<void> {
  await new PartsStore(tx, id).setShaped(japanMonth(at))
  tx.afterCommit(() => wake(SHAPING_JOB))
}

/** After a change of the settings. */
export async function settleShaping(
  tx: Tx,
  id: GatewayId,
  control: TrafficControl,
  traffic: Traffic,
  now: Date,
  wake: Wake,
): Promise<void> {
  const isLimited = shapedBitsPerSecond(control, traffic) !== undefined
  if (isLimited) await new PartsStore(tx, id).setShaped(japanMonth(now))
  tx.afterCommit(() => wake(SHAPING_JOB))
}
