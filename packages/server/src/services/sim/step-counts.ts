/** Steps of a simulated device that are over are counted as a whole. */
import type { Tx } from '../../storage/database.ts'
import type { Networks } from './networks.ts'
import { addTraffic, NO_TRAFFIC, type Session, type Traffic } from './session-rules.ts'
import { SessionStore } from './session-store.ts'
import { lastMoment, type Step } from './traffic-rules.ts'
import { TrafficStore } from './traffic-store.ts'

/** Several steps of one month at once, the oldest first; answers with their sum. */
export async function countSteps(
  tx: Tx,
  networks: Networks,
  session: Session,
  steps: readonly Step[],
): Promise<Traffic> {
  const added = steps.reduce(addTraffic, NO_TRAFFIC)
  const counted = steps.map((step) => ({ ...step, at: lastMoment(step) }))
  const last = counted.at(-1)
  if (last === undefined) return added
  await Promise.all([
    new SessionStore(tx).count(session, added, last.at),
    new TrafficStore(tx).addSteps(session, steps, added),
  ])
  await networks.counted(tx, session.network, session.simId, counted)
  return added
}
