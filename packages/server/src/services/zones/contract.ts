/** The zones and regions there are; existing clients ask for them before anything else. */
import { defineContract } from '../../kernel/contract.ts'
import { listed } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'

const Region = Type.Object({
  ID: Type.Integer(),
  Name: Type.String(),
  Description: Type.String(),
  NameServers: Type.Array(Type.String()),
})

const Zone = Type.Object({
  ID: Type.Integer(),
  DisplayOrder: Type.Integer(),
  Name: Type.String(),
  Description: Type.String(),
  IsDummy: Type.Boolean(),
  Region,
})

const page = { From: Type.Integer(), Count: Type.Integer(), Total: Type.Integer() }
const refuses = { bad_request: 'the search object is broken or names an unknown field' }

export const zonesContract = defineContract({
  zoneList: {
    method: 'GET',
    path: '/zone',
    summary: 'List the zones',
    access: 'view',
    query: 'search',
    reply: Type.Object({ ...page, Zones: Type.Array(listed(Zone)) }),
    refuses,
  },
  zoneRead: {
    method: 'GET',
    path: '/zone/{zone_id}',
    summary: 'Read one zone',
    access: 'view',
    params: Type.Object({ zone_id: Type.String() }),
    reply: Type.Object({ Zone }),
    refuses: { not_found: 'there is no such zone' },
  },
  regionList: {
    method: 'GET',
    path: '/region',
    summary: 'List the regions that zones are in',
    access: 'view',
    query: 'search',
    reply: Type.Object({ ...page, Regions: Type.Array(listed(Region)) }),
    refuses,
  },
  regionRead: {
    method: 'GET',
    path: '/region/{region_id}',
    summary: 'Read one region',
    access: 'view',
    params: Type.Object({ region_id: Type.String() }),
    reply: Type.Object({ Region }),
    refuses: { not_found: 'there is no such region' },
  },
})
