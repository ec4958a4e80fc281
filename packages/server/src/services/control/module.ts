import type { Changes } from '../../kernel/changes.ts'
import type { ControlledClock } from '../../kernel/controlled-clock.ts'
import type { Random } from '../../kernel/random.ts'
import type { SecretBox } from '../../kernel/secret-box.ts'
import type { Blobs } from '../../storage/blobs/blobs.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { byOperator, type Module } from '../module.ts'
import { clockContract } from './clock-contract.ts'
import { clockHandlers } from './clock-routes.ts'
import { FaultBook } from './fault-book.ts'
import { faultContract } from './fault-contract.ts'
import { FAULT_HEADER, parseFaultHeader } from './fault-header.ts'
import { faultHandlers } from './fault-routes.ts'
import { Hiding, type HidingParts } from './hiding.ts'
import type { Locks } from './lock.ts'
import { requestContract } from './request-contract.ts'
import { RequestLog } from './request-log.ts'
import { requestHandlers } from './request-routes.ts'
import { BODY_BYTES_MAX } from './request-rules.ts'
import { snapshotContract } from './snapshot-contract.ts'
import { snapshotHandlers } from './snapshot-routes.ts'
import { Snapshots } from './snapshots.ts'

/** What tests control the cloud with, and what the HTTP server needs to know of it. */
export function controlModule(parts: {
  readonly database: Database
  readonly files: Blobs
  readonly snapshots: Blobs
  readonly clock: ControlledClock
  readonly random: Random
  readonly box: SecretBox
  readonly locks: Locks
  readonly config: {
    /** Whether a request may order a fault for itself. */
    readonly faultHeader: boolean
    readonly requestsKept: number
  }
  /** The names of those that a fault may happen to. */
  readonly operations: ReadonlySet<string>
  readonly secrets: () => HidingParts
  /** In the transaction that loads a snapshot, and after it. */
  readonly onLoading: (tx: Tx) => Promise<void>
  readonly onLoaded: () => void
}) {
  const { database, files, clock, random, box, locks, operations, secrets } = parts
  const snapshots = new Snapshots({
    ...{ database, files, clock, box },
    blobs: parts.snapshots,
    loading: parts.onLoading,
    loaded: parts.onLoaded,
  })
  const book = new FaultBook(random)
  const log = new RequestLog(parts.config.requestsKept)
  const header = { name: FAULT_HEADER, parse: parseFaultHeader }
  const module: Module = {
    operations: [
      byOperator(clockContract, clockHandlers(clock, locks)),
      byOperator(snapshotContract, snapshotHandlers(snapshots, locks)),
      byOperator(faultContract, faultHandlers(book, operations, locks)),
      byOperator(requestContract, requestHandlers(log, new Hiding(secrets), locks)),
    ],
  }
  return {
    ...module,
    snapshots,
    faults: { book, header: parts.config.faultHeader ? header : undefined },
    inspection: { log, bodyBytesMax: locks.operating ? 0 : BODY_BYTES_MAX },
    /** Notes what a job has changed, for the stream of events. */
    onJobChange: (job: string, summary: string, changes: Changes) =>
      log.addChange({ time: clock.now(), source: { job, summary }, changes }),
  }
}
