/** Gateways as the session engine sees them: the port that the sim slice leaves open. */
import { japanMonth } from '../../kernel/datetime.ts'
import { parseId } from '../../kernel/ids.ts'
import { parseIpv4 } from '../../kernel/ipv4.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { type Counted, GatewaySims, type Networks } from '../sim/public.ts'
import { FORGET_MONITORS } from './monitor-job.ts'
import { MonitorStore } from './monitor-store.ts'
import { carryingInterface, networkOf } from './network-rules.ts'
import { tellIfPassed } from './notices.ts'
import { PartsStore } from './parts-store.ts'
import { findGateway } from './store.ts'

export function gatewayNetworks(clock: { now(): Date }, wake: Wake): Networks {
  const networks: Networks = {
    async of(tx, { gatewayId }) {
      const gateway = gatewayId === undefined ? undefined : await findGateway(tx, gatewayId)
      if (gateway === undefined) return undefined
      const { isUp, pool, privateInterface } = networkOf(gateway, clock.now())
      const ownAddress = privateInterface && parseIpv4(privateInterface.addresses[0] ?? '')
      return { kind: 'gateway', id: gateway.id, isUp, pool, ownAddress }
    },

    async counted(tx, { kind, id }, now, counted) {
      if (kind !== 'gateway') return
      await countCarried(tx, id, now, counted)
      tx.afterCommit(() => wake(FORGET_MONITORS))
      await checkQuota(tx, id, networks, now, wake)
    },

    async left(tx, simId, gatewayId) {
      await partsOf(tx, gatewayId)?.deleteRoutesOf(simId)
    },
  }
  return networks
}

async function countCarried(tx: Tx, gatewayId: string, now: Date, counted: Counted): Promise<void> {
  const gateway = await findGateway(tx, gatewayId)
  if (gateway === undefined) return
  const carrier = carryingInterface(networkOf(gateway, now))
  // What a device sends up, the gateway sends on.
  const carried = { sendBytes: counted.uplinkBytes, receiveBytes: counted.downlinkBytes }
  await new MonitorStore(tx, gateway.id).add(carrier, counted.simId, carried, now)
}

/** Asked with every report of traffic, so it stops at the first reason to. */
async function checkQuota(
  tx: Tx,
  gatewayId: string,
  networks: Networks,
  now: Date,
  wake: Wake,
): Promise<void> {
  const parts = partsOf(tx, gatewayId)
  const control = await parts?.findTrafficControl()
  if (control === undefined || !(control.emailEnabled || control.chatEnabled)) return
  if (await parts?.isNoticed(japanMonth(now))) return
  const gateway = await findGateway(tx, gatewayId)
  if (gateway === undefined) return
  const sims = new GatewaySims(tx, gateway.accountId, networks)
  await tellIfPassed(tx, gateway, control, await sims.monthTraffic(gatewayId, now), now, wake)
}

function partsOf(tx: Tx, gatewayId: string): PartsStore | undefined {
  const id = parseId<'gateway'>(gatewayId)
  return id === undefined ? undefined : new PartsStore(tx, id)
}
