/** Gateways as the session engine sees them: the port that the sim slice leaves open. */
import { japanMonth } from '../../kernel/datetime.ts'
import { parseId } from '../../kernel/ids.ts'
import { parseIpv4 } from '../../kernel/ipv4.ts'
import { stepOf } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { type Counted, GatewaySims, type Networks, networkTraffic } from '../sim/public.ts'
import { FORGET_MONITORS } from './monitor-job.ts'
import { MonitorStore } from './monitor-store.ts'
import { carryingInterface, networkOf } from './network-rules.ts'
import { type Notifier, tellIfPassed } from './notices.ts'
import { PartsStore } from './parts-store.ts'
import { beginShaping } from './shaping.ts'
import { findGateway } from './store.ts'
import {
  isQuotaPassed,
  limitsBandwidth,
  shapedBitsPerSecond,
  type Traffic,
  type TrafficControl,
} from './traffic-rules.ts'

export function gatewayNetworks(clock: { now(): Date }, notifier: Notifier): Networks {
  const networks: Networks = {
    async of(tx, { gatewayId }) {
      const gateway = gatewayId === undefined ? undefined : await findGateway(tx, gatewayId)
      if (gateway === undefined) return undefined
      const { isUp, pool, privateInterface } = networkOf(gateway, clock.now())
      const ownAddress = privateInterface && parseIpv4(privateInterface.addresses[0] ?? '')
      return { kind: 'gateway', id: gateway.id, isUp, pool, ownAddress }
    },

    async counted(tx, { kind, id }, simId, counted) {
      if (kind !== 'gateway') return
      await countCarried(tx, id, simId, counted)
      tx.afterCommit(() => notifier.wake(FORGET_MONITORS))
      await checkQuota(tx, id, networks, counted, notifier)
    },

    async bandwidth(tx, { kind, id }, at) {
      const control = kind === 'gateway' ? await partsOf(tx, id)?.findTrafficControl() : undefined
      if (control === undefined || !limitsBandwidth(control)) return undefined
      return shapedBitsPerSecond(control, await networkTraffic(tx, { kind, id }, at))
    },

    async deviceSettings(tx, sim, { kind, id }) {
      const parts = kind === 'gateway' ? partsOf(tx, id) : undefined
      if (parts === undefined) return undefined
      const dns = await parts.findDns()
      const routes = (await parts.listRoutes()).filter(({ simId }) => simId === sim.id)
      return {
        dns: [dns?.dns1, dns?.dns2].filter((server) => server !== undefined),
        routes: routes.map(({ prefix }) => prefix),
      }
    },

    async left(tx, simId, gatewayId) {
      await partsOf(tx, gatewayId)?.deleteRoutesOf(simId)
    },
  }
  return networks
}

async function countCarried(
  tx: Tx,
  gatewayId: string,
  simId: string,
  counted: readonly Counted[],
): Promise<void> {
  const gateway = await findGateway(tx, gatewayId)
  const last = counted.at(-1)
  if (gateway === undefined || last === undefined) return
  const carrier = carryingInterface(networkOf(gateway, last.at))
  // What a device sends up, the gateway sends on.
  const steps = counted.map(({ at, uplinkBytes, downlinkBytes }) => ({
    at: stepOf(at),
    sendBytes: uplinkBytes,
    receiveBytes: downlinkBytes,
  }))
  await new MonitorStore(tx, gateway.id).add(carrier, simId, steps)
}

/** Asked with every report of traffic, so it stops at the first reason to. */
async function checkQuota(
  tx: Tx,
  gatewayId: string,
  networks: Networks,
  counted: readonly Counted[],
  notifier: Notifier,
): Promise<void> {
  const parts = partsOf(tx, gatewayId)
  const control = await parts?.findTrafficControl()
  const last = counted.at(-1)
  if (parts === undefined || control === undefined || last === undefined) return
  const tells = control.emailEnabled || control.chatEnabled
  if (!tells && !limitsBandwidth(control)) return
  const month = japanMonth(last.at)
  const { noticed, shaped } = await parts.findMonths()
  const isUnshaped = limitsBandwidth(control) && shaped !== month
  if (!isUnshaped && (!tells || noticed === month)) return
  const gateway = await findGateway(tx, gatewayId)
  if (gateway === undefined) return
  const sims = new GatewaySims(tx, gateway.accountId, networks)
  const passing = firstPassing(control, await sims.monthTraffic(gatewayId, last.at), counted)
  if (passing === undefined) return
  if (isUnshaped) await beginShaping(tx, gateway.id, last.at, notifier.wake)
  if (tells) await tellIfPassed(tx, gateway, control, passing.traffic, passing.at, notifier)
}

/** The report with which the quota was passed; `total` is the month's traffic after the last of them. */
function firstPassing(control: TrafficControl, total: Traffic, counted: readonly Counted[]) {
  let passing: { traffic: Traffic; at: Date } | undefined
  let { uplinkBytes, downlinkBytes } = total
  for (const one of counted.toReversed()) {
    const traffic = { uplinkBytes, downlinkBytes }
    if (!isQuotaPassed(control, traffic)) break
    passing = { traffic, at: one.at }
    uplinkBytes -= one.uplinkBytes
    downlinkBytes -= one.downlinkBytes
  }
  return passing
}

function partsOf(tx: Tx, gatewayId: string): PartsStore | undefined {
  const id = parseId<'gateway'>(gatewayId)
  return id === undefined ? undefined : new PartsStore(tx, id)
}
