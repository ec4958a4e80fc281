/** Plugs in the zones and regions. */
import { CLOUD } from '../contracts.ts'
import { zonesContract } from '../services/zones/contract.ts'
import { zonesHandlers } from '../services/zones/routes.ts'
import type { Plug } from './plug.ts'

export const plugZones: Plug = {
  mount({ api, access }) {
    api.mount({ family: CLOUD, contract: zonesContract, handlers: zonesHandlers, access })
  },
}
