/** What a slice adds to the cloud. The composition asks each plug for its parts and knows no slice. */
import type { Access, ApiKeyOptions } from '../http/auth/access.ts'
import type { ApiServer } from '../http/server.ts'
import type { Job } from '../kernel/job.ts'
import type { Context, OperatorContext } from '../services/context.ts'
import type { ItemKind } from '../services/items/public.ts'
import type { WorldSection } from '../services/world-section.ts'
import type { Database } from '../storage/database.ts'

export interface Plug {
  readonly kinds?: readonly ItemKind[]
  readonly jobs?: readonly Job<Database>[]
  /** Applied in the order of the plugs: what others refer to comes first. */
  readonly sections?: readonly WorldSection[]
  mount?(mounts: Mounts): void
}

/** Where operations are mounted, and who may call them. */
export interface Mounts {
  readonly api: ApiServer
  /** The same as `api` unless the operator API has a listener of its own. */
  readonly operatorApi: ApiServer
  readonly access: Access<Context>
  readonly operatorAccess: Access<OperatorContext>
  /** For another kind of access by API keys. */
  readonly keyOptions: ApiKeyOptions
}

/** All of them as one, with nothing left out. */
export function joinPlugs(plugs: readonly Plug[]): Required<Plug> {
  return {
    kinds: plugs.flatMap(({ kinds }) => kinds ?? []),
    jobs: plugs.flatMap(({ jobs }) => jobs ?? []),
    sections: plugs.flatMap(({ sections }) => sections ?? []),
    mount(mounts) {
      for (const plug of plugs) plug.mount?.(mounts)
    },
  }
}
