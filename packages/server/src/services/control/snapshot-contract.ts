/** The whole state under a name: saved, listed, loaded, and carried elsewhere as a file. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { SNAPSHOT_LIMIT_MIB, SNAPSHOT_NAME_PATTERN } from './snapshot-rules.ts'

const Name = Type.String({ pattern: SNAPSHOT_NAME_PATTERN })
const SnapshotPath = Type.Object({ name: Name })

const Snapshot = Type.Object({
  name: Type.String(),
  created_at: Type.String(),
  bytes: Type.Integer(),
})

const operating = 'the server is in operate mode, where the state is real'
const missing = { not_found: 'there is no such snapshot' }
const unusable = 'it was made by a newer Kumoi or under another key-encryption key'

export const snapshotContract = defineContract({
  snapshotList: {
    method: 'GET',
    path: '/snapshots',
    summary: 'List the snapshots',
    access: 'operator',
    reply: Type.Object({ snapshots: Type.Array(Snapshot) }),
    refuses: {},
  },
  snapshotSave: {
    method: 'POST',
    path: '/snapshots',
    summary: 'Save the whole state under a name, in place of what had it',
    access: 'operator',
    body: Type.Object({ name: Name }),
    status: 201,
    reply: Type.Object({ snapshot: Snapshot }),
    refuses: {
      bad_request: 'the name breaks its rule',
      forbidden: operating,
      conflict: 'the files hold more than a snapshot takes',
    },
  },
  snapshotLoad: {
    method: 'POST',
    path: '/snapshots/{name}/load',
    summary: 'Replace the whole state by a snapshot',
    access: 'operator',
    params: SnapshotPath,
    reply: Type.Object({}),
    refuses: { ...missing, forbidden: operating, conflict: unusable },
  },
  snapshotDelete: {
    method: 'DELETE',
    path: '/snapshots/{name}',
    summary: 'Delete a snapshot',
    access: 'operator',
    params: SnapshotPath,
    reply: Type.Object({}),
    refuses: missing,
  },
  snapshotExport: {
    method: 'GET',
    path: '/snapshots/{name}/file',
    summary: 'Read a snapshot as a file of JSON lines',
    access: 'operator',
    params: SnapshotPath,
    media: 'application/x-ndjson; charset=utf-8',
    reply: Type.String(),
    refuses: missing,
  },
  snapshotImport: {
    method: 'POST',
    path: '/snapshots/{name}/file',
    summary: 'Keep a file that was exported as a snapshot',
    access: 'operator',
    params: SnapshotPath,
    textBody: true,
    bodyLimitMib: SNAPSHOT_LIMIT_MIB,
    status: 201,
    reply: Type.Object({ snapshot: Snapshot }),
    refuses: {
      bad_request: 'it is not a whole snapshot, or the name is taken by a reset',
      forbidden: operating,
      conflict: unusable,
    },
  },
})
