/** Gateways as the session engine sees them: the port that the sim slice leaves open. */
import { parseIpv4 } from '../../kernel/ipv4.ts'
import { type Networks, networkTraffic } from '../sim/public.ts'
import { countInGateways, partsOf } from './counted.ts'
import { networkOf } from './network-rules.ts'
import type { Notifier } from './notices.ts'
import { findGateway } from './store.ts'
import { limitsBandwidth, shapedBitsPerSecond } from './traffic-rules.ts'

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
      const reports = counted.map((one) => ({ network: { kind, id }, simId, counted: one }))
      await countInGateways(tx, reports, networks, notifier)
    },

    countedTogether: (tx, counted) => countInGateways(tx, counted, networks, notifier),

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

    async bandwidth(tx, { kind, id }, at) {
      const control = kind === 'gateway' ? await partsOf(tx, id)?.findTrafficControl() : undefined
      if (control === undefined || !limitsBandwidth(control)) return undefined
      return shapedBitsPerSecond(control, await networkTraffic(tx, { kind, id }, at))
    },

    async left(tx, simId, gatewayId) {
      await partsOf(tx, gatewayId)?.deleteRoutesOf(simId)
    },
  }
  return networks
}
