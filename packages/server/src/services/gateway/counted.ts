/** What devices have sent and received counts for the monitors of their gateways, and against their quotas. */
import { japanMonth } from '../../kernel/datetime.ts'
import { parseId } from '../../kernel/ids.ts'
import { stepOf } from '../../kernel/steps.ts'
import type { Tx } from '../../storage/database.ts'
import { type Counted, type CountedSim, GatewaySims, type Networks } from '../sim/public.ts'
import { FORGET_MONITORS } from './monitor-job.ts'
import { addMonitorSteps } from './monitor-store.ts'
import { carryingInterface, networkOf } from './network-rules.ts'
import { type Notifier, tellIfPassed } from './notices.ts'
import { listControlled, PartsStore } from './parts-store.ts'
import type { Gateway } from './rules.ts'
import { beginShaping } from './shaping.ts'
import { findGateways } from './store.ts'
import {
  isQuotaPassed,
  limitsBandwidth,
  type Traffic,
  type TrafficControl,
} from './traffic-rules.ts'

/** Reports of many SIMs, in the order in which they came. */
export async function countInGateways(
  tx: Tx,
  counted: readonly CountedSim[],
  networks: Networks,
  notifier: Notifier,
): Promise<void> {
  const inGateways = counted.filter(({ network }) => network.kind === 'gateway')
  const ids = [...new Set(inGateways.map(({ network }) => network.id))]
  if (ids.length === 0) return
  const [gateways, controlled] = await Promise.all([findGateways(tx, ids), listControlled(tx, ids)])
  const interfaces = new Map(
    [...gateways].map(([id, gateway]) => [
      id,
      carryingInterface(networkOf(gateway, lastAt(inGateways, id))),
    ]),
  )
  const steps = inGateways.flatMap(({ network: { id }, counted: one }) => {
    const carrier = interfaces.get(id)
    if (carrier === undefined) return []
    // What a device sends up, the gateway sends on.
    const bytes = { sendBytes: one.uplinkBytes, receiveBytes: one.downlinkBytes }
    return [{ gatewayId: id, carrier, at: stepOf(one.at), ...bytes }]
  })
  await addMonitorSteps(tx, steps, Number(inGateways[0]?.simId ?? 0))
  tx.afterCommit(() => notifier.wake(FORGET_MONITORS))
  for (const id of controlled) {
    const gateway = gateways.get(id)
    if (gateway === undefined) continue
    const own = inGateways.filter(({ network }) => network.id === id).map((one) => one.counted)
    for (const month of Map.groupBy(own, ({ at }) => japanMonth(at)).values()) {
      await checkQuota(tx, gateway, networks, month, notifier)
    }
  }
}

function lastAt(counted: readonly CountedSim[], gatewayId: string): Date {
  const last = counted.findLast(({ network }) => network.id === gatewayId)
  return last?.counted.at ?? new Date(0)
}

/** Asked with every report of traffic, so it stops at the first reason to. */
async function checkQuota(
  tx: Tx,
  gateway: Gateway,
  networks: Networks,
  counted: readonly Counted[],
  notifier: Notifier,
): Promise<void> {
  const parts = new PartsStore(tx, gateway.id)
  const control = await parts.findTrafficControl()
  const last = counted.at(-1)
  if (control === undefined || last === undefined) return
  const tells = control.emailEnabled || control.chatEnabled
  if (!tells && !limitsBandwidth(control)) return
  const month = japanMonth(last.at)
  const { noticed, shaped } = await parts.findMonths()
  const isUnshaped = limitsBandwidth(control) && shaped !== month
  if (!isUnshaped && (!tells || noticed === month)) return
  const sims = new GatewaySims(tx, gateway.accountId, networks)
  const passing = firstPassing(control, await sims.monthTraffic(gateway.id, last.at), counted)
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

/** Undefined for what is no id of ours. */
export function partsOf(tx: Tx, gatewayId: string): PartsStore | undefined {
  const id = parseId<'gateway'>(gatewayId)
  return id === undefined ? undefined : new PartsStore(tx, id)
}
