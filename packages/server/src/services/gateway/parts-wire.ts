import type { ItemId } from '../../kernel/ids.ts'
import type { Static } from '../../kernel/type.ts'
import type { DnsServers } from './dns-rules.ts'
import type { partsContract } from './parts-contract.ts'
import type { SimRoute } from './route-rules.ts'

type DnsBody = Static<(typeof partsContract)['gatewayDnsUpdate']['body']>['sim_group']
type RouteBody = NonNullable<
  Static<(typeof partsContract)['gatewayRouteUpdate']['body']>['sim_routes']
>[number]

/** Clients send an empty text for no second resolver. */
export function dnsFromWire({ dns_1, dns_2 }: DnsBody): DnsServers {
  return { dns1: dns_1, dns2: dns_2 || undefined }
}

export function dnsToWire({ dns1, dns2 }: DnsServers) {
  return { dns_1: dns1, ...(dns2 === undefined ? {} : { dns_2: dns2 }) }
}

export function routeFromWire({ resource_id, prefix }: RouteBody): SimRoute {
  // Whether it is the id of a SIM in the gateway is looked up before it is stored.
  return { simId: resource_id as ItemId, prefix }
}

export function routeToWire({ simId, prefix }: SimRoute, iccids: ReadonlyMap<string, string>) {
  return { iccid: iccids.get(simId) ?? '', prefix, resource_id: simId }
}
