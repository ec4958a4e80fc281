/** Gateways and switches, put together from their parts. */
import type { Config } from '../config.ts'
import { CLOUD, OPERATOR } from '../contracts.ts'
import type { Door } from '../http/door.ts'
import type { Edge } from '../http/server.ts'
import type { Job, Wake } from '../kernel/job.ts'
import type { Words } from '../kernel/words.ts'
import { postJson } from '../planes/outbound/post.ts'
import type { Context, OperatorContext } from '../services/context.ts'
import { gatewayContract } from '../services/gateway/contract.ts'
import { chatJob } from '../services/gateway/jobs.ts'
import { noticeContract } from '../services/gateway/notice-contract.ts'
import { noticeHandlers } from '../services/gateway/notice-routes.ts'
import { partsContract } from '../services/gateway/parts-contract.ts'
import { partsHandlers } from '../services/gateway/parts-routes.ts'
import { gatewayHandlers } from '../services/gateway/routes.ts'
import { switchContract } from '../services/gateway/switch-contract.ts'
import { switchHandlers } from '../services/gateway/switch-routes.ts'
import type { Networks } from '../services/sim/public.ts'
import type { Database } from '../storage/database.ts'

export function plugGateways(parts: {
  readonly config: Pick<Config, 'provisioningSeconds' | 'privateTargets'>
  readonly words: Words
  readonly networks: Networks
  readonly wake: Wake
}) {
  const { config, words, networks, wake } = parts
  const { provisioningSeconds, privateTargets } = config
  const outbound = { allowPrivate: privateTargets === 'allow' }
  const jobs: readonly Job<Database>[] = [chatJob((url, body) => postJson(url, body, outbound))]
  return {
    jobs,
    mount({ edge, operatorEdge, door, operatorDoor }: Mounts): void {
      const gateways = gatewayHandlers({ networks, provisioningSeconds })
      const below = partsHandlers({ networks, words, wake })
      edge.mount({ family: CLOUD, contract: gatewayContract, handlers: gateways, door })
      edge.mount({ family: CLOUD, contract: partsContract, handlers: below, door })
      edge.mount({ family: CLOUD, contract: switchContract, handlers: switchHandlers, door })
      operatorEdge.mount({
        family: OPERATOR,
        contract: noticeContract,
        handlers: noticeHandlers,
        door: operatorDoor,
      })
    },
  }
}

interface Mounts {
  readonly edge: Edge
  readonly operatorEdge: Edge
  readonly door: Door<Context>
  readonly operatorDoor: Door<OperatorContext>
}
