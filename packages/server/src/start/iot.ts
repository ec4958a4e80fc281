/** Plugs in the IoT platform. */
import { CLOUD, FILES } from '../contracts.ts'
import { tokenDoor } from '../http/door.ts'
import type { Wake } from '../kernel/job.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import { INTERFACE_WORDS } from '../kernel/words.ts'
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
import { projectKind } from '../services/iot/item-kind.ts'
import { iotHandlers } from '../services/iot/routes.ts'
import { Signals } from '../services/iot/signals.ts'
import { SWEEP_JOB, sweepJob } from '../services/iot/sweep-job.ts'
import type { Networks } from '../services/sim/public.ts'
import type { Mounts, Plug } from './plug.ts'
import type { Ports } from './ports.ts'
import type { Storage } from './storage.ts'

interface Parts {
  readonly ports: Ports
  readonly storage: Storage
  readonly box: SecretBox
  readonly encryptionKey: Uint8Array
  readonly networks: Networks
  readonly wake: Wake
}

export function plugIot(parts: Parts): Plug {
  const { ports, storage, box, networks, wake } = parts
  const tools = { box, random: ports.random, signals: new Signals() }
  const sweep = () => wake(SWEEP_JOB)
  return {
    kinds: [projectKind(INTERFACE_WORDS, sweep)],
    jobs: [sweepJob(storage.blobs)],
    mount(mounts) {
      const { edge, door } = mounts
      const handlers = iotHandlers(networks, tools)
      edge.mount({ family: CLOUD, contract: iotContract, handlers, door })
      mountFiles(mounts, parts, sweep)
    },
  }
}

function mountFiles({ edge, door, keyOptions }: Mounts, parts: Parts, sweep: () => void): void {
  const { ports, storage, encryptionKey } = parts
  const { blobs, database } = storage
  const tokens = new DownloadTokens(encryptionKey)
  const calls = fileHandlers(ports.random, tokens)
  edge.mount({ family: CLOUD, contract: fileContract, handlers: calls, door })
  edge.mount({
    family: FILES,
    contract: uploadContract,
    handlers: uploadHandlers(blobs, ports.random, sweep),
    door: tokenDoor(keyOptions, identifyUpload(database)),
  })
  edge.mount({
    family: FILES,
    contract: downloadContract,
    handlers: downloadHandlers(blobs),
    door: tokenDoor(keyOptions, identifyDownload(tokens)),
  })
}
