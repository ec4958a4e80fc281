/** The slice as a whole, for the composition: what it offers, made of what it is handed. */
import type { Wake } from '../../kernel/job.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Words } from '../../kernel/words.ts'
import type { Database } from '../../storage/database.ts'
import { ContentBox } from './content.ts'
import { recordReport, submitting } from './delivery.ts'
import { smsJob } from './jobs.ts'
import { smsKind } from './kind.ts'
import { EmbeddedNetwork } from './network.ts'
import { smsOutboxHandlers } from './outbox-routes.ts'
import { smsHandlers } from './routes.ts'
import type { Transport } from './transport.ts'
import { smsSection } from './world.ts'

export function smsService(options: {
  readonly box: SecretBox
  readonly random: Random
  readonly database: Database
  readonly wake: Wake
  readonly words: Words
  readonly strict: boolean
  /** Whether magic destinations have their effect. */
  readonly magic: boolean
  /** The embedded network, unless there is another. */
  readonly transport: Transport | undefined
}) {
  const { box, random, database, wake, words, strict } = options
  const content = new ContentBox(box)
  const network = new EmbeddedNetwork(database, options.magic)
  const transport = options.transport ?? network
  const limited = transport.leavesMachine
  transport.reportTo((report) => database.write((tx) => recordReport(tx, report)))
  return {
    kind: smsKind(words),
    handlers: smsHandlers({ content, random, wake, strict, limited }, words.retryCountTwin),
    outboxHandlers: smsOutboxHandlers(content, transport === network),
    job: smsJob([network.reporting, submitting(transport, content)]),
    section: smsSection,
  }
}
