/** What is below a gateway: resolvers, SIM routes, traffic control, its SIMs and their log. */
import { defineContract } from '../../kernel/contract.ts'
import { NO_NUL, orNull, ResourceId, Secret } from '../../kernel/fields.ts'
import { type TSchema, Type } from '../../kernel/type.ts'
import { INTERFACE_WORDS, type Words } from '../../kernel/words.ts'
import { LOG_COUNT_DEFAULT, LogEntry, SimDetail } from '../sim/public.ts'
import { GatewayPath } from './contract.ts'
import { SIM_ROUTES_MAX } from './route-rules.ts'
import { CHAT_URL_LENGTH_MAX, LIMIT_KBPS_MAX, QUOTA_MB_MAX } from './traffic-rules.ts'

const SimPath = Type.Object({ appliance_id: ResourceId, sim_id: ResourceId })
const Done = Type.Object({})

const noGateway = 'there is no such gateway in this zone'
const broken = 'a field breaks its rule'

const SimRoute = Type.Object({ resource_id: Type.String(), prefix: Type.String() })

const trafficFields = {
  traffic_quota_in_mb: Type.Integer({ minimum: 1, maximum: QUOTA_MB_MAX }),
  auto_traffic_shaping: orNull(Type.Boolean()),
  bandwidth_limit_in_kbps: orNull(Type.Integer({ minimum: 0, maximum: LIMIT_KBPS_MAX })),
  email_config: orNull(Type.Object({ enabled: Type.Boolean() })),
}

/** The names of the chat members are vendor words, so the schema is made from them. */
export function trafficControlSchema({ chatConfig, chatUrl }: Words): TSchema {
  const url = Secret({ maxLength: CHAT_URL_LENGTH_MAX, pattern: NO_NUL })
  return Type.Object({
    ...trafficFields,
    [chatConfig]: orNull(Type.Object({ enabled: Type.Boolean(), [chatUrl]: orNull(url) })),
  })
}

export function trafficControlBody(words: Words) {
  return Type.Object({ traffic_monitoring_config: trafficControlSchema(words) })
}

export const partsContract = defineContract({
  gatewayDnsRead: {
    method: 'GET',
    path: '/appliance/{appliance_id}/mobilegateway/dnsresolver',
    summary: 'Read the resolvers of a gateway',
    access: 'view',
    params: GatewayPath,
    reply: Type.Object({
      sim_group: Type.Union([
        Type.Object({ dns_1: Type.String(), dns_2: Type.Optional(Type.String()) }),
        Type.Array(Type.Never()),
      ]),
    }),
    refuses: { not_found: noGateway },
  },
  gatewayDnsUpdate: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/mobilegateway/dnsresolver',
    summary: 'Set the resolvers of a gateway',
    access: 'arrange',
    params: GatewayPath,
    body: Type.Object({
      sim_group: Type.Object({ dns_1: Type.String(), dns_2: orNull(Type.String()) }),
    }),
    reply: Done,
    refuses: { bad_request: 'an address is no IPv4 address', not_found: noGateway },
  },
  gatewayRouteList: {
    method: 'GET',
    path: '/appliance/{appliance_id}/mobilegateway/simroutes',
    summary: 'List the SIM routes of a gateway',
    access: 'view',
    params: GatewayPath,
    reply: Type.Object({
      sim_routes: Type.Array(Type.Object({ iccid: Type.String(), ...SimRoute.properties })),
    }),
    refuses: { not_found: noGateway },
  },
  gatewayRouteUpdate: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/mobilegateway/simroutes',
    summary: 'Replace the SIM routes of a gateway',
    access: 'arrange',
    params: GatewayPath,
    body: Type.Object({
      sim_routes: Type.Union([Type.Array(SimRoute, { maxItems: SIM_ROUTES_MAX }), Type.Null()]),
    }),
    reply: Done,
    refuses: {
      bad_request: 'a prefix is no network, or overlaps another',
      not_found: 'there is no such gateway in this zone, or a SIM is not in it',
      conflict: 'the profile wants an applied private interface first',
    },
  },
  gatewayTrafficControlRead: {
    method: 'GET',
    path: '/appliance/{appliance_id}/mobilegateway/traffic_monitoring',
    summary: 'Read the traffic control of a gateway',
    access: 'view',
    params: GatewayPath,
    reply: trafficControlBody(INTERFACE_WORDS),
    refuses: { not_found: 'there is no such gateway in this zone, or it has no traffic control' },
  },
  gatewayTrafficControlUpdate: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/mobilegateway/traffic_monitoring',
    summary: 'Set the traffic control of a gateway',
    access: 'arrange',
    params: GatewayPath,
    body: trafficControlBody(INTERFACE_WORDS),
    reply: Done,
    refuses: { bad_request: broken, not_found: noGateway },
  },
  gatewayTrafficControlDelete: {
    method: 'DELETE',
    path: '/appliance/{appliance_id}/mobilegateway/traffic_monitoring',
    summary: 'End the traffic control of a gateway',
    access: 'arrange',
    params: GatewayPath,
    reply: Done,
    refuses: { not_found: 'there is no such gateway in this zone, or it has no traffic control' },
  },
  gatewayTrafficRead: {
    method: 'GET',
    path: '/appliance/{appliance_id}/mobilegateway/traffic_status',
    summary: 'Read the traffic of a gateway in this month',
    access: 'view',
    params: GatewayPath,
    reply: Type.Object({
      traffic_status: Type.Object({
        uplink_bytes: Type.String(),
        downlink_bytes: Type.String(),
        traffic_shaping: Type.Boolean(),
      }),
    }),
    refuses: { not_found: noGateway },
  },
  gatewaySimList: {
    method: 'GET',
    path: '/appliance/{appliance_id}/mobilegateway/sims',
    summary: 'List the SIMs of a gateway',
    access: 'view',
    params: GatewayPath,
    query: 'search',
    reply: Type.Object({
      // Any member may be left out by Include and Exclude.
      sim: Type.Array(Type.Unsafe<object>(Type.Partial(SimDetail))),
      Total: Type.Integer(),
      From: Type.Integer(),
      Count: Type.Integer(),
    }),
    refuses: { bad_request: 'the search object is broken', not_found: noGateway },
  },
  gatewaySimAdd: {
    method: 'POST',
    path: '/appliance/{appliance_id}/mobilegateway/sims',
    summary: 'Put a SIM into a gateway',
    access: 'arrange',
    params: GatewayPath,
    body: Type.Object({ sim: Type.Object({ resource_id: Type.String() }) }),
    reply: Done,
    refuses: {
      bad_request: broken,
      not_found: 'there is no such gateway in this zone, or no such SIM',
      conflict: 'the SIM is in a gateway, or the gateway has as many SIMs as it may',
    },
  },
  gatewaySimRemove: {
    method: 'DELETE',
    path: '/appliance/{appliance_id}/mobilegateway/sims/{sim_id}',
    summary: 'Take a SIM out of a gateway',
    access: 'arrange',
    params: SimPath,
    reply: Done,
    refuses: {
      not_found: 'there is no such gateway in this zone, or the SIM is not in it',
      conflict: 'policy strict: the SIM has a fixed address',
    },
  },
  gatewaySessionLog: {
    method: 'GET',
    path: '/appliance/{appliance_id}/mobilegateway/sessionlog',
    summary: 'Read the session log of a gateway, newest first',
    access: 'view',
    params: GatewayPath,
    query: 'search',
    defaultCount: LOG_COUNT_DEFAULT,
    reply: Type.Object({
      logs: Type.Array(Type.Unsafe<object>(Type.Partial(LogEntry))),
      Count: Type.Integer(),
    }),
    refuses: {
      bad_request: 'the search object is broken or names an unknown field',
      not_found: noGateway,
    },
  },
})
