/** Plugs in what tests control the cloud with. */
import type { Config } from '../config.ts'
import { interfaceOperations, OPERATOR, slices } from '../contracts.ts'
import type { FaultSource } from '../http/faults.ts'
import type { Inspection } from '../http/inspector.ts'
import type { JobDriver } from '../jobs/driver.ts'
import { LeaseStore } from '../jobs/lease.ts'
import type { Changes } from '../kernel/changes.ts'
import type { SecretBox } from '../kernel/secret-box.ts'
import type { Words } from '../kernel/words.ts'
import type { KeyRing } from '../services/account/public.ts'
import { clockContract } from '../services/control/clock-contract.ts'
import { clockHandlers } from '../services/control/clock-routes.ts'
import { faultContract } from '../services/control/fault-contract.ts'
import { faultHandlers } from '../services/control/fault-routes.ts'
import {
  BODY_BYTES_MAX,
  FAULT_HEADER,
  FaultBook,
  Hiding,
  type HidingParts,
  parseFaultHeader,
  RequestLog,
  Snapshots,
} from '../services/control/public.ts'
import { requestContract } from '../services/control/request-contract.ts'
import { requestHandlers } from '../services/control/request-routes.ts'
import { snapshotContract } from '../services/control/snapshot-contract.ts'
import { snapshotHandlers } from '../services/control/snapshot-routes.ts'
import { trafficControlSchema } from '../services/gateway/parts-contract.ts'
import { ADAPTER_PATHS } from '../services/iot/wire.ts'
import type { Plug } from './plug.ts'
import type { Ports } from './ports.ts'
import type { Storage } from './storage.ts'

export interface Control {
  readonly snapshots: Snapshots
  readonly faults: FaultSource
  readonly inspection: Inspection
  /** What a job has done, for the stream of events. */
  changed(job: string, summary: string, changes: Changes): void
  readonly plug: Plug
}

export function controlFor(options: {
  readonly config: Pick<Config, 'mode' | 'faultHeader'>
  readonly ports: Ports
  readonly storage: Storage
  readonly box: SecretBox
  readonly ring: KeyRing
  readonly jobs: () => JobDriver
  readonly words: Words
}): Control {
  const { config, ports, storage, box, ring } = options
  const { clock } = ports
  const operating = config.mode === 'operate'
  const snapshots = new Snapshots({
    database: storage.database,
    blobs: storage.snapshots,
    files: storage.blobs,
    clock,
    box,
    // Whoever held a lease in that world is not running in this one.
    loading: (tx) => new LeaseStore(tx).releaseAll(),
    loaded: () => {
      ring.forget()
      options.jobs().wakeAll()
    },
  })
  const book = new FaultBook(ports.random)
  const log = new RequestLog()
  const clockParts = { contract: clockContract, handlers: clockHandlers(clock, operating) }
  const snapshotParts = {
    contract: snapshotContract,
    handlers: snapshotHandlers(snapshots, operating),
  }
  const faultParts = {
    contract: faultContract,
    handlers: faultHandlers(book, interfaceOperations, operating),
  }
  const hiding = new Hiding(() => secretParts(options.words))
  const requestParts = {
    contract: requestContract,
    handlers: requestHandlers(log, hiding),
  }
  return {
    snapshots,
    faults: {
      book,
      header: config.faultHeader ? { name: FAULT_HEADER, parse: parseFaultHeader } : undefined,
    },
    inspection: { log, bodyBytesMax: operating ? 0 : BODY_BYTES_MAX },
    changed: (job, summary, changes) =>
      log.addChange({ time: clock.now(), source: { job, summary }, changes }),
    plug: {
      mount({ operatorApi, operatorAccess: access }) {
        operatorApi.mount({ family: OPERATOR, access, ...clockParts })
        operatorApi.mount({ family: OPERATOR, access, ...snapshotParts })
        operatorApi.mount({ family: OPERATOR, access, ...faultParts })
        operatorApi.mount({ family: OPERATOR, access, ...requestParts })
      },
    },
  }
}

/** Where secrets are, in the words of the profile too. */
function secretParts(words: Words): HidingParts {
  return {
    operations: slices.flatMap(({ family, contract }) =>
      Object.values(contract).map((operation) => ({ base: family.base, operation })),
    ),
    schemas: [trafficControlSchema(words)],
    paths: [`${ADAPTER_PATHS.websocket}{token}`],
  }
}
