/** Plugs in the IoT platform. */
import type { Config } from '../config.ts'
import { CLOUD, FILES, IOT, OPERATOR } from '../contracts.ts'
import { tokenAccess } from '../http/auth/access.ts'
import { RunningClock } from '../kernel/clock.ts'
import type { Wake } from '../kernel/job.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import { post } from '../planes/outbound/post.ts'
import { TIMES, WebsocketPlane } from '../planes/websocket/plane.ts'
import { downloadContract, uploadContract } from '../services/iot/content-contract.ts'
import {
  downloadHandlers,
  identifyDownload,
  identifyUpload,
  uploadHandlers,
} from '../services/iot/content-routes.ts'
import { iotContract } from '../services/iot/contract.ts'
import { DownloadTokens } from '../services/iot/download-token.ts'
import { fileContract } from '../services/iot/file-contract.ts'
import { fileHandlers } from '../services/iot/file-routes.ts'
import { FORGET_JOB, forgetJob } from '../services/iot/forget-job.ts'
import { identifyIncoming, incomingHandlers } from '../services/iot/incoming-routes.ts'
import { projectKind } from '../services/iot/item-kind.ts'
import {
  deviceMessageContract,
  incomingContract,
  operatorMessageContract,
  webhookOutboxContract,
} from '../services/iot/message-contract.ts'
import {
  deviceMessageHandlers,
  identifyDevice,
  operatorMessageHandlers,
} from '../services/iot/message-routes.ts'
import type { MessageTools } from '../services/iot/messages.ts'
import { ProjectQueue } from '../services/iot/project-queue.ts'
import { LiveMessages } from '../services/iot/public.ts'
import { iotHandlers } from '../services/iot/routes.ts'
import type { Signals } from '../services/iot/signals.ts'
import { SWEEP_JOB, sweepJob } from '../services/iot/sweep-job.ts'
import { webhookJob } from '../services/iot/webhook-job.ts'
import { webhookOutboxHandlers } from '../services/iot/webhook-routes.ts'
import type { Networks } from '../services/sim/public.ts'
import type { Mounts, Plug } from './plug.ts'
import type { Ports } from './ports.ts'
import { projectsSection } from './projects-world.ts'
import type { Storage } from './storage.ts'

interface Parts {
  readonly config: Pick<Config, 'privateTargets'>
  readonly ports: Ports
  readonly storage: Storage
  readonly box: SecretBox
  readonly encryptionKey: Uint8Array
  readonly networks: Networks
  readonly wake: Wake
  readonly words: Words
  readonly signals: Signals
}

export function plugIot(parts: Parts): Plug {
  const { ports, storage, box, networks, wake, signals } = parts
  const tools = { box, random: ports.random, signals, wake }
  const sweep = () => wake(SWEEP_JOB)
  return {
    kinds: [projectKind(parts.words, sweep, wake)],
    jobs: [sweepJob(storage.blobs), forgetJob, outgoing(parts)],
    sections: [projectsSection(networks, tools)],
    mount(mounts) {
      const { api, access } = mounts
      const handlers = iotHandlers(networks, tools)
      api.mount({ family: CLOUD, contract: iotContract, handlers, access })
      mountFiles(mounts, parts, sweep)
      const projectQueue = new ProjectQueue(storage.database, () => wake(FORGET_JOB))
      mountMessages(mounts, parts, { signals, wake, projectQueue })
      const live = new LiveMessages(storage.database, box, signals, projectQueue)
      const { clock: world, log } = ports
      const machine = new RunningClock()
      api.upgrade(new WebsocketPlane({ live, machine, world, log, ...TIMES }))
    },
  }
}

function outgoing({ config, ports, box, words }: Parts) {
  const { random, clock } = ports
  const outbound = { allowPrivate: config.privateTargets === 'allow' }
  return webhookJob({
    post: (url, body, headers) => post(url, body, headers, outbound),
    ...{ box, random, clock },
    bodyHeader: words.webhookSignatureHeader,
  })
}

function mountMessages(mounts: Mounts, parts: Parts, tools: MessageTools): void {
  const { api, operatorApi, operatorAccess, keyOptions } = mounts
  const { ports, storage, box, wake, words } = parts
  const { database } = storage
  api.mount({
    family: IOT,
    contract: deviceMessageContract,
    handlers: deviceMessageHandlers(tools),
    access: tokenAccess(keyOptions, identifyDevice(database)),
  })
  api.mount({
    family: IOT,
    contract: incomingContract,
    handlers: incomingHandlers(words.webhookSignatureHeader, tools.projectQueue),
    access: tokenAccess(keyOptions, identifyIncoming(database, box)),
  })
  const messages = operatorMessageHandlers(tools, ports.random)
  const outbox = webhookOutboxHandlers(wake)
  const operator = { family: OPERATOR, access: operatorAccess }
  operatorApi.mount({ ...operator, contract: operatorMessageContract, handlers: messages })
  operatorApi.mount({ ...operator, contract: webhookOutboxContract, handlers: outbox })
}

function mountFiles({ api, access, keyOptions }: Mounts, parts: Parts, sweep: () => void): void {
  const { ports, storage, encryptionKey } = parts
  const { blobs, database } = storage
  const tokens = new DownloadTokens(encryptionKey)
  const calls = fileHandlers(ports.random, tokens, sweep)
  api.mount({ family: CLOUD, contract: fileContract, handlers: calls, access })
  api.mount({
    family: FILES,
    contract: uploadContract,
    handlers: uploadHandlers(blobs, ports.random, sweep),
    access: tokenAccess(keyOptions, identifyUpload(database)),
  })
  api.mount({
    family: FILES,
    contract: downloadContract,
    handlers: downloadHandlers(blobs),
    access: tokenAccess(keyOptions, identifyDownload(tokens)),
  })
}
