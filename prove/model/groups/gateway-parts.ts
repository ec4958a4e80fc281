/** What a gateway has: SIMs, routes, resolvers, a quota. */
import { type Command, type Context, firstMaker, type Maker, maker } from '../command.ts'
import { CARDS } from '../state.ts'
import { onGateway, simsIn } from './gateways.ts'
import { leave, settle } from './sessions.ts'

// The second is within the first, and the last has host bits.
const PREFIXES = ['10.1.0.0/16', '10.1.2.0/24', '10.2.0.0/16', '10.3.0.1/16']
export const SIMS_PER_GATEWAY = 2

function addSim(context: Context): Command {
  const simId = context.slots.get(`sim:${context.choices.below(CARDS)}`)
  return onGateway(context, {
    ...{ name: 'gatewaySimAdd', method: 'POST', path: '/mobilegateway/sims' },
    body: { sim: { resource_id: simId } },
    on(gateway, model, id) {
      const sim = model.sims.get(simId)
      if (sim?.account !== gateway.account) return { status: 404 }
      if (sim.gateway !== undefined) return { status: 409 }
      if (simsIn(model, id).length >= SIMS_PER_GATEWAY) return { status: 409 }
      sim.gateway = id
      settle(model, sim)
      return undefined
    },
  })
}

function removeSim(context: Context): Command {
  const simId = context.slots.get(`sim:${context.choices.below(CARDS)}`)
  return onGateway(context, {
    ...{ name: 'gatewaySimRemove', method: 'DELETE', path: `/mobilegateway/sims/${simId}` },
    on(_gateway, model, id) {
      const sim = model.sims.get(simId)
      if (sim === undefined || sim.gateway !== id) return { status: 404 }
      leave(model, simId, sim)
      return undefined
    },
  })
}

function routes(context: Context): Command {
  const { choices, slots } = context
  const list = Array.from({ length: choices.below(3) }, () => ({
    sim: slots.get(`sim:${choices.below(CARDS)}`),
    prefix: choices.pick(PREFIXES),
  }))
  const groups = list.map(({ prefix }) => prefix.slice(0, 4))
  const isBad = new Set(groups).size < groups.length || groups.includes('10.3')
  return onGateway(context, {
    ...{ name: 'gatewayRouteUpdate', method: 'PUT', path: '/mobilegateway/simroutes', isBad },
    body: { sim_routes: list.map(({ sim, prefix }) => ({ resource_id: sim, prefix })) },
    on(gateway, model, id) {
      if (list.some(({ sim }) => model.sims.get(sim)?.gateway !== id)) return { status: 404 }
      gateway.routes = list
      return undefined
    },
  })
}

function setDns(context: Context): Command {
  const dns = context.choices.pick(['192.0.2.1', '192.0.2.2', 'none'])
  return onGateway(context, {
    ...{ name: 'gatewayDnsUpdate', method: 'PUT', path: '/mobilegateway/dnsresolver' },
    ...{ body: { sim_group: { dns_1: dns } }, isBad: dns === 'none' },
    on(gateway) {
      gateway.dns = dns
      return undefined
    },
  })
}

function setQuota(context: Context): Command {
  const quotaMb = context.choices.pick([0, 5, 20])
  return onGateway(context, {
    ...{ name: 'gatewayTrafficControlUpdate', method: 'PUT' },
    ...{ path: '/mobilegateway/traffic_monitoring', isBad: quotaMb === 0 },
    body: {
      traffic_monitoring_config: { traffic_quota_in_mb: quotaMb, auto_traffic_shaping: true },
    },
    on(gateway) {
      gateway.quotaMb = quotaMb
      return undefined
    },
  })
}

const dropQuota = (context: Context) =>
  onGateway(context, {
    ...{ name: 'gatewayTrafficControlDelete', method: 'DELETE' },
    path: '/mobilegateway/traffic_monitoring',
    on(gateway) {
      if (gateway.quotaMb === undefined) return { status: 404 }
      gateway.quotaMb = undefined
      return undefined
    },
  })

export const gatewayPartMakers: readonly Maker[] = [
  ...[firstMaker(10, addSim), maker(2, removeSim), maker(3, routes)],
  ...[maker(1, setDns), maker(1, setQuota), maker(1, dropQuota)],
]
