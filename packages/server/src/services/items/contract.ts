import { defineContract } from '../../kernel/contract.ts'
import { labelFields, listed, orNull, ResourceId, Secret } from '../../kernel/fields.ts'
import { Icon, IconField } from '../../kernel/icon.ts'
import { Type } from '../../kernel/type.ts'

const ItemPath = Type.Object({ id: ResourceId })

/** What a caller may set. Members that are not listed are noise and ignored. */
const changeable = {
  ...labelFields,
  Icon: IconField,
}

const Draft = Type.Object({
  CommonServiceItem: Type.Object({
    ...changeable,
    Provider: Type.Object({ Class: Type.String() }),
    ServiceClass: orNull(Type.String()),
    Status: orNull(Type.Object({ ICCID: orNull(Type.String()) })),
    Remark: orNull(Type.Object({ PassCode: orNull(Secret()) })),
  }),
})

const Patch = Type.Object({ CommonServiceItem: Type.Object(changeable) })

export const Item = Type.Object({
  ID: Type.String(),
  Name: Type.String(),
  Description: Type.Union([Type.String(), Type.Null()]),
  Settings: Type.Null(),
  SettingsHash: Type.Null(),
  Status: Type.Union([Type.Object({}), Type.Null()]),
  ServiceClass: Type.String(),
  Availability: Type.String(),
  CreatedAt: Type.String(),
  ModifiedAt: Type.String(),
  Provider: Type.Object({
    ID: Type.Union([Type.Integer(), Type.String()]),
    Class: Type.String(),
    Name: Type.String(),
    ServiceClass: Type.String(),
  }),
  Icon,
  Tags: Type.Array(Type.String()),
})

const Success = Type.Object({ CommonServiceItem: Item, Success: Type.Literal(true) })

const create = {
  path: '/commonserviceitem',
  summary: 'Create an item: a SIM, a project or a short message service',
  access: 'create',
  body: Draft,
  status: 201,
  reply: Success,
  refuses: {
    bad_request: 'the class is not known, a field breaks its rule, or the pass code is wrong',
    not_found: 'a SIM: there is no card with this ICCID',
    conflict:
      'a SIM: the ICCID breaks its pattern or is registered already; or a quota of the account is used up',
    too_many_request: 'a SIM: too many wrong pass codes for this card',
  },
} as const

export const itemsContract = defineContract({
  itemList: {
    method: 'GET',
    path: '/commonserviceitem',
    summary: 'List the items of the account',
    access: 'view',
    query: 'search',
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      CommonServiceItems: Type.Array(listed(Item)),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  itemRead: {
    method: 'GET',
    path: '/commonserviceitem/{id}',
    summary: 'Read one item',
    access: 'view',
    params: ItemPath,
    reply: Type.Object({ CommonServiceItem: Item }),
    refuses: { not_found: 'there is no such item' },
  },
  itemCreate: { method: 'POST', ...create },
  // The interface's SIM failures were observed on PUT (Errors), so PUT creates as POST does.
  itemCreateByPut: { method: 'PUT', ...create },
  itemUpdate: {
    method: 'PUT',
    path: '/commonserviceitem/{id}',
    summary: 'Change the name, description, tags or icon of an item',
    access: 'arrange',
    params: ItemPath,
    body: Patch,
    reply: Success,
    refuses: { bad_request: 'a field breaks its rule', not_found: 'there is no such item' },
  },
  itemDelete: {
    method: 'DELETE',
    path: '/commonserviceitem/{id}',
    summary: 'Delete an item',
    access: 'create',
    params: ItemPath,
    // The interface sends the body of the creation when a short message service is deleted.
    optionalBody: Type.Object({ CommonServiceItem: orNull(Type.Object(changeable)) }),
    reply: Type.Partial(Success),
    refuses: {
      bad_request: 'a body comes along and is broken',
      not_found: 'there is no such item',
      conflict: 'a project: a SIM or a service adapter is connected to it',
    },
  },
})
