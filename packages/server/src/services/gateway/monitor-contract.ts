/** What passes through the interfaces of a gateway; existing clients ask for it. */
import { defineContract } from '../../kernel/contract.ts'
import { orNull, ResourceId } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { GatewayPath } from './contract.ts'

const Monitored = Type.Object({
  Data: Type.Record(Type.String(), Type.Object({ Send: Type.Number(), Receive: Type.Number() })),
})

const monitor = {
  method: 'GET',
  access: 'view',
  query: Type.Object({ Start: orNull(Type.String()), End: orNull(Type.String()) }),
  reply: Monitored,
} as const

const broken = 'Start or End is no datetime, they are reversed, or more than 31 days apart'

export const monitorContract = defineContract({
  gatewayMonitor: {
    ...monitor,
    path: '/appliance/{appliance_id}/interface/monitor',
    summary: 'Read the traffic of the public interface in steps of five minutes',
    params: GatewayPath,
    refuses: { bad_request: broken, not_found: 'there is no such gateway in this zone' },
  },
  gatewayInterfaceMonitor: {
    ...monitor,
    path: '/appliance/{appliance_id}/interface/{interface}/monitor',
    summary: 'Read the traffic of one interface in steps of five minutes',
    params: Type.Object({ appliance_id: ResourceId, interface: Type.Enum(['0', '1']) }),
    refuses: {
      bad_request: broken,
      not_found: 'there is no such gateway in this zone, or it has no such interface',
    },
  },
})
