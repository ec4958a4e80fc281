import type { Handlers } from '../../kernel/contract.ts'
import { NotFound } from '../../kernel/errors.ts'
import type { Context } from '../context.ts'
import { SettingStore } from '../settings/public.ts'
import { checkDnsServers } from './dns-rules.ts'
import { type NetworkParts, partsOf, simsOf } from './parts.ts'
import type { partsContract } from './parts-contract.ts'
import { dnsFromWire, dnsToWire, routeFromWire, routeToWire } from './parts-wire.ts'
import { checkSimRoutes } from './route-rules.ts'
import { checkRoutable, type Gateway } from './rules.ts'
import { trafficHandlers } from './traffic-routes.ts'

export function partsHandlers(network: NetworkParts): Handlers<typeof partsContract, Context> {
  const { networks, habits, isStrict } = network
  return {
    ...trafficHandlers(network),

    async gatewayDnsRead({ params }, context) {
      const { parts } = await partsOf(params.appliance_id, context)
      const dns = await parts.findDns()
      return { sim_group: dns === undefined ? [] : dnsToWire(dns) }
    },

    async gatewayDnsUpdate({ params, body }, context) {
      const servers = checkDnsServers(dnsFromWire(body.sim_group))
      const { parts } = await partsOf(params.appliance_id, context)
      await parts.putDns(servers)
      return {}
    },

    async gatewayRouteList({ params }, context) {
      const { parts } = await partsOf(params.appliance_id, context)
      const routes = await parts.listRoutes()
      const iccids = await simsOf(context, networks).iccidsOf(routes.map(({ simId }) => simId))
      return { sim_routes: routes.map((route) => routeToWire(route, iccids)) }
    },

    async gatewayRouteUpdate({ params, body }, context) {
      const routes = checkSimRoutes((body.sim_routes ?? []).map(routeFromWire))
      const { gateway, parts } = await partsOf(params.appliance_id, context)
      if (routes.length > 0) checkRoutable(gateway, habits)
      const sims = simsOf(context, networks)
      for (const simId of new Set(routes.map((route) => route.simId))) {
        if (!(await sims.has(simId, gateway.id))) throw notInGateway(simId, gateway)
      }
      await parts.replaceRoutes(routes)
      return {}
    },

    async gatewaySimList({ params, query: { from, count } }, context) {
      const { gateway } = await partsOf(params.appliance_id, context)
      const { total, sims } = await simsOf(context, networks).list(
        gateway.id,
        from,
        count,
        context.now,
      )
      return { sim: sims, Total: total, From: from, Count: sims.length }
    },

    async gatewaySimAdd({ params, body }, context) {
      const { gateway } = await partsOf(params.appliance_id, context)
      const limit = await new SettingStore(context.tx).get('sims_per_gateway')
      const sims = simsOf(context, networks)
      await sims.add(body.sim.resource_id, gateway.id, limit, context.now)
      return {}
    },

    async gatewaySimRemove({ params }, context) {
      const { gateway } = await partsOf(params.appliance_id, context)
      await simsOf(context, networks).remove(params.sim_id, gateway.id, context.now, isStrict)
      return {}
    },

    async gatewaySessionLog({ params, query }, context) {
      const { gateway } = await partsOf(params.appliance_id, context)
      const logs = await simsOf(context, networks).sessionLog(gateway.id, query)
      return { logs, Count: logs.length }
    },
  }
}

function notInGateway(simId: string, gateway: Gateway): NotFound {
  return new NotFound(
    `SIM ${simId} is not in gateway ${gateway.id}.`,
    `SIM ${simId} はゲートウェイ ${gateway.id} に所属していません。`,
  )
}
