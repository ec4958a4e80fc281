import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import { metricsSpan, type SpanQuery } from '../../kernel/steps.ts'
import type { Context } from '../context.ts'
import { mergeSteps, networkHistory, type Step } from '../sim/public.ts'
import type { monitorContract } from './monitor-contract.ts'
import type { InterfaceNumber, MonitorStep } from './monitor-rules.ts'
import { MonitorStore } from './monitor-store.ts'
import { monitorToWire } from './monitor-wire.ts'
import { GatewayStore } from './store.ts'

export const monitorHandlers: Handlers<typeof monitorContract, Context> = {
  gatewayMonitor: ({ params, query }, context) => read(params.appliance_id, 0, query, context),

  gatewayInterfaceMonitor: ({ params, query }, context) =>
    read(params.appliance_id, params.interface === '1' ? 1 : 0, query, context),
}

async function read(id: string, wanted: InterfaceNumber, query: SpanQuery, context: Context) {
  const { tx, caller, zone, now } = context
  const span = metricsSpan(query, now)
  const gateway = await new GatewayStore(tx, caller.accountId, zone).get(id)
  if (wanted === 1 && gateway.switchId === undefined) {
    throw new NotFound(
      `Gateway ${id} has no private interface; it is connected to no switch.`,
      `ゲートウェイ ${id} のプライベートインターフェースはスイッチに接続されていません。`,
    )
  }
  const counted = await new MonitorStore(tx, gateway.id).list(wanted, span)
  // What was simulated of the past took the public interface.
  const past = wanted === 0 ? await networkHistory(tx, { kind: 'gateway', id }, span) : []
  return { Data: monitorToWire(mergeSteps(counted.map(toStep), past).map(toMonitorStep)) }
}

function toStep({ at, sendBytes, receiveBytes }: MonitorStep): Step {
  return { at, uplinkBytes: sendBytes, downlinkBytes: receiveBytes }
}

/** What a device sends up, the gateway sends on. */
function toMonitorStep({ at, uplinkBytes, downlinkBytes }: Step): MonitorStep {
  return { at, sendBytes: uplinkBytes, receiveBytes: downlinkBytes }
}
