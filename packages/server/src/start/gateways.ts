/** Gateways and switches, put together from their parts. */
import type { Config } from '../config.ts'
import type { Job, Wake } from '../kernel/job.ts'
import type { Words } from '../kernel/words.ts'
import { postJson } from '../planes/outbound/post.ts'
import { chatJob } from '../services/gateway/jobs.ts'
import { noticeHandlers } from '../services/gateway/notice-routes.ts'
import { partsHandlers } from '../services/gateway/parts-routes.ts'
import { gatewayHandlers } from '../services/gateway/routes.ts'
import { switchHandlers } from '../services/gateway/switch-routes.ts'
import type { Networks } from '../services/sim/public.ts'
import type { Database } from '../storage/database.ts'

export function composeGateways(parts: {
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
    handlers: gatewayHandlers({ networks, provisioningSeconds }),
    partsHandlers: partsHandlers({ networks, words, wake }),
    switchHandlers,
    noticeHandlers,
    jobs,
  }
}
