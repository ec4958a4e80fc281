/** What the network acts on, which the interface leaves in the dark (docs/gateways.md). */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { GatewayPath } from './contract.ts'

export const appliedContract = defineContract({
  gatewayAppliedRead: {
    method: 'GET',
    path: '/appliance/{appliance_id}/config',
    summary: 'Read the settings that were last applied to the network',
    access: 'view',
    params: GatewayPath,
    reply: Type.Object({
      Settings: Type.Union([
        Type.Object({ MobileGateway: Type.Record(Type.String(), Type.Unknown()) }),
        Type.Null(),
      ]),
      SettingsHash: Type.Union([Type.String(), Type.Null()]),
    }),
    refuses: { not_found: 'there is no such gateway in this zone' },
  },
})
