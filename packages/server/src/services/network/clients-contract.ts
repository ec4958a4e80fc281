/** The one call that gives the secrets of network elements in plain: the RADIUS server in between needs them. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { CoaPort, ElementName, SharedSecret } from './contract.ts'

export const radiusClientContract = defineContract({
  radiusClientList: {
    method: 'GET',
    path: '/radius/clients',
    summary:
      'List the elements of the mobile network with their secrets, for the configuration of a RADIUS server',
    access: 'operator',
    reply: Type.Object({
      clients: Type.Array(
        Type.Object({
          name: ElementName,
          address: Type.String(),
          secret: SharedSecret,
          coa_port: CoaPort,
        }),
      ),
    }),
    refuses: {},
  },
})
