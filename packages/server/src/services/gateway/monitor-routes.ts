import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import { metricsSpan, type SpanQuery } from '../../kernel/steps.ts'
import type { Context } from '../context.ts'
import type { monitorContract } from './monitor-contract.ts'
import type { InterfaceNumber } from './monitor-rules.ts'
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
  return { Data: monitorToWire(await new MonitorStore(tx, gateway.id).list(wanted, span)) }
}
