/** Switches: as much of them as a gateway's private interface needs. */
import { defineContract } from '../../kernel/contract.ts'
import { labelFields, listed, orNull, ResourceId } from '../../kernel/fields.ts'
import { Icon, IconField } from '../../kernel/icon.ts'
import { Type } from '../../kernel/type.ts'
import { MASK_LENGTH_MAX, MASK_LENGTH_MIN } from './switch-rules.ts'

const SwitchPath = Type.Object({ switch_id: ResourceId })

const UserSubnet = Type.Object({
  DefaultRoute: Type.String(),
  NetworkMaskLen: Type.Integer({ minimum: MASK_LENGTH_MIN, maximum: MASK_LENGTH_MAX }),
})

/** Go clients send an empty route and the length 0 for none. */
const SubnetField = Type.Object({
  DefaultRoute: Type.String(),
  NetworkMaskLen: Type.Integer({ minimum: 0, maximum: MASK_LENGTH_MAX }),
})

const Patch = Type.Object({
  Switch: Type.Object({ ...labelFields, Icon: IconField, UserSubnet: orNull(SubnetField) }),
})

const Switch = Type.Object({
  ID: Type.String(),
  Name: Type.String(),
  Description: Type.String(),
  Tags: Type.Array(Type.String()),
  Icon,
  Scope: Type.Literal('user'),
  Subnet: Type.Null(),
  Subnets: Type.Array(Type.Never()),
  UserSubnet: Type.Union([UserSubnet, Type.Null()]),
  ServerCount: Type.Literal(0),
  ApplianceCount: Type.Integer(),
  Zone: Type.Object({ ID: Type.String(), Name: Type.String() }),
  CreatedAt: Type.String(),
  ModifiedAt: Type.String(),
})

const Success = Type.Object({ Switch, Success: Type.Literal(true) })
const page = { From: Type.Integer(), Count: Type.Integer(), Total: Type.Integer() }

const noSwitch = 'there is no such switch in this zone'
const broken = 'a field breaks its rule'

export const switchContract = defineContract({
  switchList: {
    method: 'GET',
    path: '/switch',
    summary: 'List the switches of the account in this zone',
    access: 'view',
    query: 'search',
    reply: Type.Object({ ...page, Switches: Type.Array(listed(Switch)) }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  switchRead: {
    method: 'GET',
    path: '/switch/{switch_id}',
    summary: 'Read one switch',
    access: 'view',
    params: SwitchPath,
    reply: Type.Object({ Switch }),
    refuses: { not_found: noSwitch },
  },
  switchCreate: {
    method: 'POST',
    path: '/switch',
    summary: 'Create a switch',
    access: 'create',
    body: Patch,
    status: 201,
    reply: Success,
    refuses: { bad_request: broken },
  },
  switchUpdate: {
    method: 'PUT',
    path: '/switch/{switch_id}',
    summary: 'Change the labels or the subnet of a switch',
    access: 'arrange',
    params: SwitchPath,
    body: Patch,
    reply: Success,
    refuses: { bad_request: broken, not_found: noSwitch },
  },
  switchDelete: {
    method: 'DELETE',
    path: '/switch/{switch_id}',
    summary: 'Delete a switch',
    access: 'create',
    params: SwitchPath,
    reply: Success,
    refuses: { not_found: noSwitch, conflict: 'a gateway is connected to it' },
  },
  switchServerList: {
    method: 'GET',
    path: '/switch/{switch_id}/server',
    summary: 'List the servers at a switch: there are none',
    access: 'view',
    params: SwitchPath,
    reply: Type.Object({ ...page, Servers: Type.Array(Type.Never()) }),
    refuses: { not_found: noSwitch },
  },
})
