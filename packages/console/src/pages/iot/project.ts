/** A project with all that its page shows. */
import type { AdapterCreateIoTPlatform as Adapter, IoTPlatform as ProjectSim } from '@kumoi/client'
import type { Key } from '../../key.ts'
import { cloud } from '../../session.ts'
import type { Item } from '../items/items.ts'

export interface Project {
  readonly id: string
  readonly item: Item
  readonly sims: readonly ProjectSim[]
  readonly adapters: readonly Adapter[]
}

export async function readProject(id: string, signal: AbortSignal): Promise<Project> {
  const calls = cloud().orThrow
  const input = { params: { project_id: id } }
  const [item, sims, adapters] = await Promise.all([
    calls.itemRead({ params: { id } }, { signal }),
    calls.projectSimList(input, { signal }),
    calls.adapterList(input, { signal }),
  ])
  return {
    ...{ id, item: item.CommonServiceItem },
    ...{ sims: sims.IoTPlatform, adapters: adapters.IoTPlatform },
  }
}

/** What a part of the page is given. */
export interface PartProps {
  readonly project: Project
  readonly access: Key | undefined
  readonly reload: () => void
}
