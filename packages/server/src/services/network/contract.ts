/** How the operator declares the elements of a network, and how a world does: one form for both. */
import { defineContract } from '../../kernel/contract.ts'
import { Secret } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { ELEMENT_NAME_PATTERN, SHARED_SECRET_PATTERN } from './rules.ts'

const closed = { additionalProperties: false }

export const ElementName = Type.String({ pattern: ELEMENT_NAME_PATTERN })
export const SharedSecret = Secret({ pattern: SHARED_SECRET_PATTERN })
/** By country and network; the rules check what is named there. */
export const Carriers = Type.Record(Type.String(), Type.String())
export const CoaPort = Type.Integer({ minimum: 1, maximum: 65_535 })

const Path = Type.Object({ name: Type.String() })
const Element = Type.Object({
  name: ElementName,
  address: Type.String(),
  carriers: Carriers,
  coa_port: CoaPort,
  last_seen: Type.Union([Type.String(), Type.Null()]),
  accepted: Type.Integer(),
  refused: Type.Integer(),
  accounting_packets: Type.Integer(),
  sessions: Type.Integer(),
})
const One = Type.Object({ network_element: Element })

const unknown = 'there is no such network element'

export const networkElementContract = defineContract({
  networkElementList: {
    method: 'GET',
    path: '/network-elements',
    summary: 'List the elements of the mobile network, without their secrets',
    access: 'operator',
    reply: Type.Object({ network_elements: Type.Array(Element) }),
    refuses: {},
  },
  networkElementRead: {
    method: 'GET',
    path: '/network-elements/{name}',
    summary: 'Read an element of the mobile network, without its secret',
    access: 'operator',
    params: Path,
    reply: One,
    refuses: { not_found: unknown },
  },
  networkElementPut: {
    method: 'PUT',
    path: '/network-elements/{name}',
    summary: 'Declare an element of the mobile network, or change it',
    access: 'operator',
    params: Type.Object({ name: ElementName }),
    body: Type.Object(
      {
        address: Type.String(),
        secret: Type.Optional(SharedSecret),
        carriers: Type.Optional(Carriers),
        coa_port: Type.Optional(CoaPort),
      },
      closed,
    ),
    reply: One,
    refuses: {
      bad_request:
        'the address is no IPv4 address, a carrier is unknown, or a new element has no secret',
      conflict: 'the address is that of another element, or there are as many as there may be',
    },
  },
  networkElementDelete: {
    method: 'DELETE',
    path: '/network-elements/{name}',
    summary: 'Remove an element of the mobile network; its sessions end',
    access: 'operator',
    params: Path,
    reply: Type.Object({}),
    refuses: { not_found: unknown },
  },
})
