/** What the composition and the neighbours use of the control for tests. */
export { FaultBook } from './fault-book.ts'
export { FAULT_HEADER, parseFaultHeader } from './fault-header.ts'
export { Hiding, type HidingParts } from './hiding.ts'
export { refuseWhileOperating } from './lock.ts'
export { RequestLog } from './request-log.ts'
export { BODY_BYTES_MAX } from './request-rules.ts'
export { SNAPSHOT_NAME_PATTERN } from './snapshot-rules.ts'
export { Snapshots } from './snapshots.ts'
