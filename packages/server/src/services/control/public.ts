/** What the composition and the neighbours use of the control for tests. */
export { SNAPSHOT_NAME_PATTERN } from './snapshot-rules.ts'
export { Snapshots } from './snapshots.ts'
