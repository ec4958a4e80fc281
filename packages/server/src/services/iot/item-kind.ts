/** Projects as a kind of item. */
import type { ItemId } from '../../kernel/ids.ts'
import type { Wake } from '../../kernel/job.ts'
import type { Words } from '../../kernel/words.ts'
import type { ItemKind } from '../items/public.ts'
import { listAdapterIds } from './adapter-store.ts'
import { IOT_CLASS, PROJECT_NAME_LENGTH } from './project-rules.ts'
import { ProjectStore } from './project-store.ts'
import { createProject, deleteProject } from './projects.ts'
import { statusToWire } from './wire.ts'

/** `sweep` is told when files may have become nobody's. */
export function projectKind({ providers }: Words, sweep: () => void, wake: Wake): ItemKind {
  return {
    class: IOT_CLASS,
    provider: providers.iotplatform,
    // Interface: the answer shows this, though a request sends `cloud/iotplatform/1`.
    serviceClass: 'cloud/iotplatform/vmgw/1',
    nameLength: PROJECT_NAME_LENGTH,
    quota: 'projects',
    answersRemoval: true,

    async prepare({ name }, { tx, caller, now }) {
      return {
        externalKey: undefined,
        insert: (id) => createProject(tx, caller.accountId, { id, name }, now, wake),
      }
    },

    async remove(item, { tx, caller, now }) {
      await deleteProject(tx, caller.accountId, item.id, now)
      tx.afterCommit(sweep)
    },

    async statuses(items, { tx, caller }) {
      const ids = items.map(({ id }) => id)
      const projects = await new ProjectStore(tx, caller.accountId).listByIds(ids)
      const adapters = await listAdapterIds(tx, ids)
      const adaptersOf = (id: ItemId) =>
        adapters.filter(({ projectId }) => projectId === id).map((adapter) => adapter.id)
      return new Map(
        projects.map((project) => [project.id, statusToWire(project, adaptersOf(project.id))]),
      )
    },
  }
}
