import type { Wake } from '../../kernel/job.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Words } from '../../kernel/words.ts'
import type { Database } from '../../storage/database.ts'
import { CLOUD, SMS } from '../families.ts'
import type { ItemKind } from '../items/public.ts'
import { byKey, byOperator, byToken, type Module } from '../module.ts'
import { agedMessages } from './aged-messages.ts'
import { ContentBox, SEALED } from './content.ts'
import { smsContract } from './contract.ts'
import { submitting } from './delivery.ts'
import { demoMessages } from './demo.ts'
import { smsJob } from './jobs.ts'
import { smsKind } from './kind.ts'
import { EmbeddedNetwork } from './network.ts'
import { smsOutboxContract } from './outbox-contract.ts'
import { smsOutboxHandlers } from './outbox-routes.ts'
import { kannelReportContract, smsReportContract } from './report-contract.ts'
import {
  identifyGateway,
  identifyReport,
  kannelReportHandlers,
  smsReportHandlers,
} from './report-routes.ts'
import type { ReportTokens } from './report-token.ts'
import { smsHandlers } from './routes.ts'
import type { Transport } from './transport.ts'
import { smsSection } from './world.ts'

export function smsModule(parts: {
  readonly box: SecretBox
  readonly random: Random
  readonly database: Database
  readonly wake: Wake
  readonly words: Words
  readonly isStrict: boolean
  /** Whether magic destinations have their effect. */
  readonly hasMagic: boolean
  /** The embedded network, unless there is another. */
  readonly transport: Transport | undefined
  readonly reportTokens: ReportTokens
  /** What a gateway signs its reports with. */
  readonly reportSecret: string | undefined
}): Module & { readonly kind: ItemKind } {
  const { box, random, database, wake, words, isStrict: strict } = parts
  const content = new ContentBox(box)
  const network = new EmbeddedNetwork(database, parts.hasMagic)
  const transport = parts.transport ?? network
  const limited = transport.leavesMachine
  const sending = { content, random, wake, strict, transport: transport.name, limited }
  const handlers = smsHandlers(sending, words.retryCountTwin)
  return {
    kind: smsKind(words),
    demoPast: demoMessages(content, random),
    jobs: [smsJob([network.reporting, submitting(transport, content)])],
    aged: [agedMessages],
    sections: [smsSection],
    sealed: [SEALED],
    operations: [
      byKey(CLOUD, smsContract, handlers),
      byOperator(smsOutboxContract, smsOutboxHandlers(content, transport)),
      byToken(SMS, smsReportContract, smsReportHandlers(parts.reportSecret), identifyGateway),
      byToken(SMS, kannelReportContract, kannelReportHandlers, identifyReport(parts.reportTokens)),
    ],
  }
}
