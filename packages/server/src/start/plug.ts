/** What a slice adds to the cloud. The composition asks each plug for its parts and knows no slice. */
import type { Door, KeyDoorOptions } from '../http/door.ts'
import type { Edge } from '../http/server.ts'
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

/** Where operations are mounted, and the doors in front of them. */
export interface Mounts {
  readonly edge: Edge
  /** The same as `edge` unless the operator API has a listener of its own. */
  readonly operatorEdge: Edge
  readonly door: Door<Context>
  readonly operatorDoor: Door<OperatorContext>
  /** For a door of a slice's own. */
  readonly keyOptions: KeyDoorOptions
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
