/** Traffic control of the demo world's gateways: one is near its quota. */
import { parseId } from '../../kernel/ids.ts'
import { DEMO, type DemoPast } from '../demo.ts'
import { findSim, GatewaySims, type Networks } from '../sim/public.ts'
import { PartsStore } from './parts-store.ts'
import { BYTES_PER_MB } from './traffic-rules.ts'

/** How much of its quota the gateway of this card has used so far in the month. */
const USED: readonly (readonly [string, number])[] = [
  [DEMO.vanIccid, 0.9],
  [DEMO.kioskIccid, 0.35],
]

export function demoGateways(networks: Networks): DemoPast {
  return async (tx, now) => {
    for (const [iccid, share] of USED) {
      const sim = await findSim(tx, { iccid })
      const id = sim?.gatewayId === undefined ? undefined : parseId<'gateway'>(sim.gatewayId)
      if (sim === undefined || id === undefined) throw new Error(`${iccid} is in no gateway.`)
      const sims = new GatewaySims(tx, sim.accountId, networks)
      const { uplinkBytes, downlinkBytes } = await sims.monthTraffic(id, now)
      const quotaMb = Math.ceil((uplinkBytes + downlinkBytes) / share / BYTES_PER_MB)
      await new PartsStore(tx, id).putTrafficControl({
        // In a month that has just begun it is the least that there can be.
        ...{ quotaMb: Math.max(1, quotaMb), autoShaping: true, limitKbps: 128 },
        ...{ emailEnabled: true, chatEnabled: false, chatUrl: '' },
      })
    }
  }
}
