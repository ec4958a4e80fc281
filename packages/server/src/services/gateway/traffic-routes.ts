import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { tellIfPassed } from './notices.ts'
import { type NetworkParts, partsOf, simsOf } from './parts.ts'
import type { partsContract } from './parts-contract.ts'
import type { Gateway } from './rules.ts'
import { SHAPING_JOB, settleShaping } from './shaping.ts'
import { isQuotaPassed, isShaping } from './traffic-rules.ts'
import { trafficControlWire, trafficStatusToWire } from './traffic-wire.ts'

type TrafficHandlers = Pick<
  Handlers<typeof partsContract, Context>,
  | 'gatewayTrafficControlRead'
  | 'gatewayTrafficControlUpdate'
  | 'gatewayTrafficControlDelete'
  | 'gatewayTrafficRead'
>

export function trafficHandlers({ networks, words, notifier }: NetworkParts): TrafficHandlers {
  const wire = trafficControlWire(words)
  return {
    async gatewayTrafficControlRead({ params }, context) {
      const { gateway, parts } = await partsOf(params.appliance_id, context)
      const control = await parts.findTrafficControl()
      if (control === undefined) throw noControl(gateway)
      return { traffic_monitoring_config: wire.write(control) }
    },

    async gatewayTrafficControlUpdate({ params, body }, context) {
      const control = wire.read(body.traffic_monitoring_config)
      const { gateway, parts } = await partsOf(params.appliance_id, context)
      await parts.putTrafficControl(control)
      const { tx, now } = context
      const traffic = await simsOf(context, networks).monthTraffic(gateway.id, now)
      // A higher quota can be passed again; one that is passed already is told at once.
      if (!isQuotaPassed(control, traffic)) await parts.forgetNotice()
      else await tellIfPassed(tx, gateway, control, traffic, now, notifier)
      await settleShaping(tx, gateway.id, control, traffic, now, notifier.wake)
      return {}
    },

    async gatewayTrafficControlDelete({ params }, context) {
      const { gateway, parts } = await partsOf(params.appliance_id, context)
      if (!(await parts.deleteTrafficControl())) throw noControl(gateway)
      context.tx.afterCommit(() => notifier.wake(SHAPING_JOB))
      return {}
    },

    async gatewayTrafficRead({ params }, context) {
      const { gateway, parts } = await partsOf(params.appliance_id, context)
      const traffic = await simsOf(context, networks).monthTraffic(gateway.id, context.now)
      const shaping = isShaping(await parts.findTrafficControl(), traffic)
      return { traffic_status: trafficStatusToWire(traffic, shaping) }
    },
  }
}

function noControl(gateway: Gateway): NotFound {
  return new NotFound(
    `Gateway ${gateway.id} has no traffic control.`,
    `ゲートウェイ ${gateway.id} にトラフィックコントロールは設定されていません。`,
  )
}
