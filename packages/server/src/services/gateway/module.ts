import type { Profile } from '../../kernel/profile.ts'
import { CLOUD } from '../families.ts'
import type { Mailer } from '../mail/public.ts'
import { byKey, byOperator, type Module } from '../module.ts'
import type { Networks } from '../sim/public.ts'
import { agedNotices } from './aged-notices.ts'
import { appliedContract } from './applied-contract.ts'
import { appliedHandlers } from './applied-routes.ts'
import { gatewayContract } from './contract.ts'
import { demoGateways } from './demo.ts'
import { chatJob, mailJob } from './jobs.ts'
import { monitorContract } from './monitor-contract.ts'
import { forgetMonitorsJob } from './monitor-job.ts'
import { monitorHandlers } from './monitor-routes.ts'
import { noticeContract } from './notice-contract.ts'
import { noticeHandlers } from './notice-routes.ts'
import type { Notifier } from './notices.ts'
import { partsContract } from './parts-contract.ts'
import { partsHandlers } from './parts-routes.ts'
import { gatewayHandlers } from './routes.ts'
import { shapingJob } from './shaping-job.ts'
import { switchContract } from './switch-contract.ts'
import { switchHandlers } from './switch-routes.ts'
import { gatewaysSection } from './world.ts'

export function gatewayModule(parts: {
  readonly profile: Profile
  readonly networks: Networks
  readonly clock: { now(): Date }
  readonly provisioningSeconds: number
  readonly isStrict: boolean
  /** Sends a notice to an address that a user gave. */
  readonly postChat: Parameters<typeof chatJob>[0]
  /** Undefined keeps notices by mail. */
  readonly mailer: Mailer | undefined
  readonly notifier: Notifier
}): Module {
  const { profile, networks, clock, provisioningSeconds, isStrict, postChat, mailer, notifier } =
    parts
  const { words, zones, gateways: habits } = profile
  const gateways = gatewayHandlers({ networks, provisioningSeconds, habits, wake: notifier.wake })
  return {
    demoPast: demoGateways(networks),
    jobs: [
      chatJob(postChat),
      ...(mailer ? [mailJob(mailer)] : []),
      forgetMonitorsJob,
      shapingJob(networks, clock),
    ],
    aged: [agedNotices],
    sections: [gatewaysSection(networks, zones)],
    operations: [
      byKey(CLOUD, gatewayContract, gateways),
      byKey(CLOUD, partsContract, partsHandlers({ networks, words, habits, notifier, isStrict })),
      byKey(CLOUD, monitorContract, monitorHandlers),
      byKey(CLOUD, appliedContract, appliedHandlers),
      byKey(CLOUD, switchContract, switchHandlers),
      byOperator(noticeContract, noticeHandlers(notifier)),
    ],
  }
}
