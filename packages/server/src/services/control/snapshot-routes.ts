import type { Handlers } from '../../kernel/contract.ts'
import type { OperatorContext } from '../context.ts'
import { refuseWhileOperating } from './lock.ts'
import type { snapshotContract } from './snapshot-contract.ts'
import type { SnapshotInfo, Snapshots } from './snapshots.ts'

export function snapshotHandlers(
  snapshots: Snapshots,
  operating: boolean,
): Handlers<typeof snapshotContract, OperatorContext> {
  return {
    async snapshotList() {
      return { snapshots: (await snapshots.list()).map(toWire) }
    },

    async snapshotSave({ body }) {
      if (operating) refuseWhileOperating()
      return { snapshot: toWire(await snapshots.save(body.name)) }
    },

    async snapshotLoad({ params }, { now }) {
      if (operating) refuseWhileOperating()
      await snapshots.load(params.name, now)
      return {}
    },

    async snapshotDelete({ params }) {
      await snapshots.delete(params.name)
      return {}
    },

    snapshotExport: ({ params }) => snapshots.text(params.name),

    async snapshotImport({ params, body }) {
      if (operating) refuseWhileOperating()
      return { snapshot: toWire(await snapshots.import(params.name, body)) }
    },
  }
}

function toWire({ name, createdAt, bytes }: SnapshotInfo) {
  return { name, created_at: createdAt, bytes }
}
