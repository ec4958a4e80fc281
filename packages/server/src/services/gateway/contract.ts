/** The gateway itself: its life, its settings, its power and its private interface. */
import { defineContract } from '../../kernel/contract.ts'
import { labelFields, listed, orNull, ResourceId } from '../../kernel/fields.ts'
import { Icon, IconField } from '../../kernel/icon.ts'
import { Type } from '../../kernel/type.ts'
import { GATEWAY_CLASS } from './rules.ts'
import {
  PRIVATE_ADDRESSES_MAX,
  PRIVATE_MASK_MAX,
  PRIVATE_MASK_MIN,
  STATIC_ROUTES_MAX,
} from './settings-rules.ts'

export const GatewayPath = Type.Object({ appliance_id: ResourceId })
const ConnectPath = Type.Object({ appliance_id: ResourceId, switch_id: ResourceId })

const Toggle = Type.Object({ Enabled: Type.Enum(['True', 'False']) })

const PrivateInterface = Type.Object({
  IPAddress: Type.Array(Type.String(), { minItems: 1, maxItems: PRIVATE_ADDRESSES_MAX }),
  NetworkMaskLen: Type.Integer({ minimum: PRIVATE_MASK_MIN, maximum: PRIVATE_MASK_MAX }),
})

/** Element 0 of the interfaces, the public one, is not the caller's to set: it is null. */
const MobileGateway = Type.Object({
  InternetConnection: orNull(Toggle),
  InterDeviceCommunication: orNull(Toggle),
  Interfaces: orNull(Type.Array(Type.Union([PrivateInterface, Type.Null()]), { maxItems: 2 })),
  StaticRoutes: orNull(
    Type.Array(Type.Object({ Prefix: Type.String(), NextHop: Type.String() }), {
      maxItems: STATIC_ROUTES_MAX,
    }),
  ),
})

const changeable = {
  ...labelFields,
  Icon: IconField,
  Settings: orNull(Type.Object({ MobileGateway: orNull(MobileGateway) })),
}

const Draft = Type.Object({
  Appliance: Type.Object({
    ...changeable,
    Class: Type.Literal(GATEWAY_CLASS),
    Plan: Type.Object({ ID: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    Remark: orNull(
      Type.Object({
        Servers: orNull(Type.Array(Type.Object({}))),
        Switch: orNull(Type.Object({ Scope: Type.Literal('shared') })),
      }),
    ),
  }),
})

const Patch = Type.Object({
  Appliance: Type.Object({ ...changeable, SettingsHash: orNull(Type.String()) }),
})

const nullable = <T extends Parameters<typeof Type.Optional>[0]>(schema: T) =>
  Type.Union([schema, Type.Null()])

/** Where the interface names members without their types, only that there is an object is told. */
export const Appliance = Type.Object({
  ID: Type.String(),
  Class: Type.Literal(GATEWAY_CLASS),
  Name: Type.String(),
  Description: Type.String(),
  Plan: Type.Object({ ID: Type.Integer() }),
  Settings: nullable(Type.Object({ MobileGateway: Type.Object({}) })),
  SettingsHash: nullable(Type.String()),
  Remark: Type.Object({
    Servers: Type.Array(Type.Object({})),
    Switch: Type.Object({ Scope: Type.String() }),
    Zone: Type.Object({ ID: Type.String() }),
  }),
  Availability: Type.Enum(['migrating', 'available']),
  Instance: nullable(
    Type.Object({ Status: Type.Enum(['up', 'down']), StatusChangedAt: nullable(Type.String()) }),
  ),
  ServiceClass: Type.String(),
  CreatedAt: Type.String(),
  Icon,
  Switch: Type.Null(),
  Interfaces: Type.Array(nullable(Type.Object({}))),
  Tags: Type.Array(Type.String()),
})

/** What creation, update and `/config` carry besides. */
const envelope = {
  ReturnCode: Type.Literal(0),
  ResponseHeaders: Type.Object({ Status: Type.String(), Cause: Type.Null() }),
  Out: Type.Null(),
}
const Done = Type.Object({ Success: Type.Literal(true) })

const noGateway = 'there is no such gateway in this zone'
const power = {
  access: 'power',
  params: GatewayPath,
  reply: Done,
} as const

export const gatewayContract = defineContract({
  gatewayList: {
    method: 'GET',
    path: '/appliance',
    summary: 'List the gateways of the account in this zone',
    access: 'view',
    query: 'search',
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      Appliances: Type.Array(listed(Appliance)),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  gatewayRead: {
    method: 'GET',
    path: '/appliance/{appliance_id}',
    summary: 'Read one gateway',
    access: 'view',
    params: GatewayPath,
    reply: Type.Object({ Appliance }),
    refuses: { not_found: noGateway },
  },
  gatewayCreate: {
    method: 'POST',
    path: '/appliance',
    summary: 'Create a gateway; it is being made for a while',
    access: 'create',
    body: Draft,
    status: 202,
    reply: Type.Object({ Appliance, Success: Type.Literal('Accepted'), ...envelope }),
    refuses: {
      bad_request: 'a field breaks its rule',
      conflict: 'the quota gateways of the account is used up',
      service_unavailable: 'no public address is free',
    },
  },
  gatewayUpdate: {
    method: 'PUT',
    path: '/appliance/{appliance_id}',
    summary: 'Change the labels of a gateway and store its settings',
    access: 'arrange',
    params: GatewayPath,
    body: Patch,
    reply: Type.Object({ Appliance, Success: Type.Literal(true), ...envelope }),
    refuses: {
      bad_request: 'a field breaks its rule',
      not_found: noGateway,
      original_hash_mismatch: 'the stored settings are not those of SettingsHash',
    },
  },
  gatewayConfigure: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/config',
    summary: 'Apply the stored settings of a gateway to the network',
    access: 'arrange',
    params: GatewayPath,
    reply: Type.Object({ Success: Type.Literal(true), ...envelope }),
    refuses: { not_found: noGateway },
  },
  gatewayDelete: {
    method: 'DELETE',
    path: '/appliance/{appliance_id}',
    summary: 'Delete a gateway',
    access: 'create',
    params: GatewayPath,
    reply: Type.Object({ Appliance, Success: Type.Literal(true) }),
    refuses: {
      not_found: noGateway,
      server_power_must_be_down: 'it is up, and the profile wants it down',
    },
  },
  gatewayPowerOn: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/power',
    summary: 'Turn a gateway on',
    ...power,
    refuses: {
      not_found: noGateway,
      conflict: 'it is up',
      still_creating: 'it is still being made',
    },
  },
  gatewayPowerOff: {
    method: 'DELETE',
    path: '/appliance/{appliance_id}/power',
    summary: 'Turn a gateway off; the sessions of its SIMs end',
    ...power,
    // It is off at once either way.
    optionalBody: Type.Object({ Force: orNull(Type.Boolean()) }),
    refuses: {
      bad_request: 'a body comes along and is broken',
      not_found: noGateway,
      conflict: 'it is down',
      still_creating: 'it is still being made',
    },
  },
  gatewayReset: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/reset',
    summary: 'Restart a gateway; the sessions of its SIMs end',
    ...power,
    refuses: {
      not_found: noGateway,
      conflict: 'it is down',
      still_creating: 'it is still being made',
    },
  },
  gatewaySwitchConnect: {
    method: 'PUT',
    path: '/appliance/{appliance_id}/interface/1/to/switch/{switch_id}',
    summary: 'Connect the private interface of a gateway to a switch',
    access: 'arrange',
    params: ConnectPath,
    reply: Done,
    refuses: {
      bad_request: 'the switch serves another gateway',
      not_found: 'there is no such gateway or switch in this zone',
      conflict: 'the private interface is connected',
      server_power_must_be_down: 'it is up, and the profile wants it down',
    },
  },
  gatewaySwitchDisconnect: {
    method: 'DELETE',
    path: '/appliance/{appliance_id}/interface/1/to/switch',
    summary: 'Disconnect the private interface of a gateway',
    access: 'arrange',
    params: GatewayPath,
    reply: Done,
    refuses: { not_found: noGateway, conflict: 'the private interface is not connected' },
  },
})
