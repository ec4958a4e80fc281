/** Plugs in the IoT platform. */
import { CLOUD } from '../contracts.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { INTERFACE_WORDS } from '../kernel/words.ts'
import { iotContract } from '../services/iot/contract.ts'
import { projectKind } from '../services/iot/item-kind.ts'
import { iotHandlers } from '../services/iot/routes.ts'
import { Signals } from '../services/iot/signals.ts'
import type { Networks } from '../services/sim/public.ts'
import type { Plug } from './plug.ts'
import type { Ports } from './ports.ts'

export function plugIot(parts: {
  readonly ports: Ports
  readonly box: SecretBox
  readonly networks: Networks
}): Plug {
  const { ports, box, networks } = parts
  const tools = { box, random: ports.random, signals: new Signals() }
  return {
    kinds: [projectKind(INTERFACE_WORDS, () => undefined)],
    mount({ edge, door }) {
      edge.mount({
        family: CLOUD,
        contract: iotContract,
        handlers: iotHandlers(networks, tools),
        door,
      })
    },
  }
}
