/** Projects as the session engine sees them: the port that the sim slice leaves open. */
import type { Networks } from '../sim/public.ts'
import { forgetSecret } from './device-store.ts'
import { givenPool } from './project-rules.ts'
import { SessionStore } from './session-store.ts'
import { findConnection, forgetSim } from './sim-store.ts'

export const projectNetworks: Networks = {
  async of(tx, sim) {
    const link = await findConnection(tx, sim.id)
    if (link === undefined) return undefined
    const isAssigned = link.isIpSet && link.ip !== undefined
    const pool = isAssigned ? { network: link.ip, prefixLength: 32 } : givenPool(link.projectId)
    return { kind: 'project', id: link.projectId, isUp: true, pool }
  },

  async counted() {},

  async left() {},

  async deleted(tx, sim) {
    await forgetSim(tx, sim.id)
    await forgetSecret(tx, sim.id)
    await new SessionStore(tx, sim.id).forget()
  },
}
