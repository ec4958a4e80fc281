import type { Clock } from '../../kernel/clock.ts'
import type { EncryptionKeys } from '../../kernel/encryption-key.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Words } from '../../kernel/words.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Database } from '../../storage/database.ts'
import { CLOUD, FILES, IOT } from '../families.ts'
import type { ItemKind } from '../items/public.ts'
import { byKey, byOperator, byToken, type Module, type Operations } from '../module.ts'
import type { Networks } from '../sim/public.ts'
import { SEALED } from './adapter-store.ts'
import { downloadContract, uploadContract } from './content-contract.ts'
import {
  downloadHandlers,
  identifyDownload,
  identifyUpload,
  uploadHandlers,
} from './content-routes.ts'
import { iotContract } from './contract.ts'
import { demoProject } from './demo.ts'
import { DeviceLinks } from './device-links.ts'
import { DownloadTokens } from './download-token.ts'
import { fileContract } from './file-contract.ts'
import { fileHandlers } from './file-routes.ts'
import { FORGET_JOB, forgetJob } from './forget-job.ts'
import { identifyIncoming, incomingHandlers } from './incoming-routes.ts'
import { projectKind } from './item-kind.ts'
import { LiveMessages } from './live.ts'
import {
  deviceMessageContract,
  incomingContract,
  operatorMessageContract,
  webhookOutboxContract,
} from './message-contract.ts'
import { deviceMessageHandlers, identifyDevice, operatorMessageHandlers } from './message-routes.ts'
import type { MessageTools } from './messages.ts'
import { ProjectQueue } from './project-queue.ts'
import { iotHandlers } from './routes.ts'
import { Signals } from './signals.ts'
import { SWEEP_JOB, sweepJob } from './sweep-job.ts'
import { webhookJob } from './webhook-job.ts'
import { webhookOutboxHandlers } from './webhook-routes.ts'
import { projectsSection } from './world.ts'

interface Parts {
  readonly database: Database
  readonly blobs: Blobs
  readonly box: SecretBox
  readonly random: Random
  readonly clock: Clock
  readonly log: Log
  /** Signs the addresses that files are fetched at. */
  readonly encryptionKeys: EncryptionKeys
  readonly networks: Networks
  readonly words: Words
  /** Delivers to an address that a user gave. */
  readonly post: Parameters<typeof webhookJob>[0]['post']
  readonly wake: Wake
}

export interface IotModule extends Module {
  readonly kind: ItemKind
  /** For connections that stay open. */
  readonly live: LiveMessages
  readonly links: DeviceLinks
}

export function iotModule(parts: Parts): IotModule {
  const { database, blobs, box, random, clock, log, networks, words, post, wake } = parts
  const signals = new Signals()
  const tools = { box, random, signals, wake }
  const sweep = () => wake(SWEEP_JOB)
  const projectQueue = new ProjectQueue(database, () => wake(FORGET_JOB))
  const bodyHeader = words.webhookSignatureHeader
  return {
    kind: projectKind(words, sweep, wake),
    sealed: SEALED,
    live: new LiveMessages(database, box, signals, projectQueue),
    links: new DeviceLinks({
      ...{ database, log, now: () => clock.now() },
      tools: { projectQueue, signals, wake },
    }),
    demoPast: demoProject(box),
    jobs: [sweepJob(blobs), forgetJob, webhookJob({ post, box, random, clock, bodyHeader })],
    sections: [projectsSection(networks, tools)],
    operations: [
      byKey(CLOUD, iotContract, iotHandlers(networks, tools)),
      ...fileOperations(parts, sweep),
      ...messageOperations(parts, { signals, wake, projectQueue }),
    ],
  }
}

function messageOperations(
  { database, box, random, words, wake }: Parts,
  tools: MessageTools,
): Operations[] {
  const incoming = incomingHandlers(words.webhookSignatureHeader, tools)
  return [
    byToken(IOT, deviceMessageContract, deviceMessageHandlers(tools), identifyDevice(database)),
    byToken(IOT, incomingContract, incoming, identifyIncoming(database, box)),
    byOperator(operatorMessageContract, operatorMessageHandlers(tools, random)),
    byOperator(webhookOutboxContract, webhookOutboxHandlers(wake)),
  ]
}

function fileOperations(
  { database, blobs, random, encryptionKeys }: Parts,
  sweep: () => void,
): Operations[] {
  const tokens = new DownloadTokens(encryptionKeys)
  const uploads = uploadHandlers(blobs, random, sweep)
  return [
    byKey(CLOUD, fileContract, fileHandlers(random, tokens, sweep)),
    byToken(FILES, uploadContract, uploads, identifyUpload(database)),
    byToken(FILES, downloadContract, downloadHandlers(blobs), identifyDownload(tokens)),
  ]
}
