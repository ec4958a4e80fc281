/** Plugs in gateways and switches. */
import type { Config } from '../config.ts'
import { CLOUD, OPERATOR } from '../contracts.ts'
import type { Wake } from '../kernel/job.ts'
import type { Profile } from '../kernel/profile.ts'
import { postJson } from '../planes/outbound/post.ts'
import { appliedContract } from '../services/gateway/applied-contract.ts'
import { appliedHandlers } from '../services/gateway/applied-routes.ts'
import { gatewayContract } from '../services/gateway/contract.ts'
import { chatJob } from '../services/gateway/jobs.ts'
import { monitorContract } from '../services/gateway/monitor-contract.ts'
import { forgetMonitorsJob } from '../services/gateway/monitor-job.ts'
import { monitorHandlers } from '../services/gateway/monitor-routes.ts'
import { noticeContract } from '../services/gateway/notice-contract.ts'
import { noticeHandlers } from '../services/gateway/notice-routes.ts'
import { partsContract } from '../services/gateway/parts-contract.ts'
import { partsHandlers } from '../services/gateway/parts-routes.ts'
import { gatewayHandlers } from '../services/gateway/routes.ts'
import { switchContract } from '../services/gateway/switch-contract.ts'
import { switchHandlers } from '../services/gateway/switch-routes.ts'
import type { Networks } from '../services/sim/public.ts'
import { gatewaysSection } from './gateways-world.ts'
import type { Plug } from './plug.ts'

export function plugGateways(parts: {
  readonly config: Pick<Config, 'provisioningSeconds' | 'privateTargets' | 'policy'>
  readonly profile: Profile
  readonly networks: Networks
  readonly wake: Wake
}): Plug {
  const { config, profile, networks, wake } = parts
  const { provisioningSeconds, privateTargets, policy } = config
  const { words, gateways: habits } = profile
  const outbound = { allowPrivate: privateTargets === 'allow' }
  return {
    jobs: [chatJob((url, body) => postJson(url, body, outbound)), forgetMonitorsJob],
    sections: [gatewaysSection(networks)],
    mount({ api, operatorApi, access, operatorAccess }) {
      const gateways = gatewayHandlers({ networks, provisioningSeconds, habits, wake })
      const isStrict = policy === 'strict'
      const below = partsHandlers({ networks, words, habits, wake, isStrict })
      api.mount({ family: CLOUD, contract: gatewayContract, handlers: gateways, access })
      api.mount({ family: CLOUD, contract: partsContract, handlers: below, access })
      api.mount({ family: CLOUD, contract: monitorContract, handlers: monitorHandlers, access })
      api.mount({ family: CLOUD, contract: appliedContract, handlers: appliedHandlers, access })
      api.mount({ family: CLOUD, contract: switchContract, handlers: switchHandlers, access })
      operatorApi.mount({
        family: OPERATOR,
        contract: noticeContract,
        handlers: noticeHandlers,
        access: operatorAccess,
      })
    },
  }
}
