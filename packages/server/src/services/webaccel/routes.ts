import type { Handlers } from '../../kernel/contract.ts'
import type { Context } from '../context.ts'
import { cacheHandlers } from './cache-routes.ts'
import { certificateHandlers } from './certificate-routes.ts'
import type { webaccelContract } from './contract.ts'
import type { WebaccelParts } from './parts.ts'
import { siteExtraHandlers } from './site-extra-routes.ts'
import { siteHandlers } from './site-routes.ts'
import { usageHandlers } from './usage-routes.ts'

export function webaccelHandlers(parts: WebaccelParts): Handlers<typeof webaccelContract, Context> {
  return {
    ...siteHandlers(parts),
    ...siteExtraHandlers(parts),
    ...certificateHandlers(parts),
    ...cacheHandlers(parts),
    ...usageHandlers,
  }
}
