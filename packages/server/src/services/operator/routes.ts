import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest, Conflict, NotFound, Unavailable } from '../../kernel/errors.ts'
import { schemaOf } from '../../storage/migrate.ts'
import { raw } from '../../storage/sql.ts'
import type { KeyRing } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import { type Locks, refuseControl } from '../control/public.ts'
import { accountHandlers } from './account-routes.ts'
import type { operatorContract } from './contract.ts'
import { keyHandlers } from './key-routes.ts'
import type { World } from './world.ts'
import { type WorldFile, WorldFileError } from './world-file.ts'

export interface OperatorParts {
  readonly ring: KeyRing
  readonly world: World
  readonly isReady: () => boolean
  readonly version: string
  readonly metrics: () => Promise<string>
  readonly ca: string | undefined
  /** What is applied now comes back with a reset to the world. */
  readonly remember: (file: WorldFile) => void
  /** What a job waits for may have come or gone. */
  readonly wakeJobs: () => void
  /** Empties everything, then applies the worlds of the start or loads a snapshot, if asked to. */
  readonly reset: (to: string, now: Date) => Promise<void>
  readonly locks: Locks
}

export function operatorHandlers(
  parts: OperatorParts,
): Handlers<typeof operatorContract, OperatorContext> {
  const { ring, world } = parts
  return {
    ...accountHandlers(ring),
    ...keyHandlers(ring),

    async healthLive() {
      return { status: 'live' }
    },

    async healthReady(_input, { database }) {
      if (!parts.isReady()) {
        throw new Unavailable('The server is not ready.', 'サーバーは準備中です。')
      }
      await database.read((tx) => tx.first(raw('SELECT 1 AS one')))
      return { status: 'ready' }
    },

    async serverRead(_input, { database }) {
      const { applied, known } = await database.read(schemaOf)
      const { engine } = database
      return { version: parts.version, engine, schema: applied, known_schema: known }
    },

    metricsRead: () => parts.metrics(),

    async caRead() {
      if (parts.ca === undefined) {
        throw new NotFound('The server has no CA of its own.', '独自のCAはありません。')
      }
      return parts.ca
    },

    worldRead: (_input, { database }) => database.read((tx) => world.export(tx)),

    async worldApply({ body, query }, { database, now }) {
      try {
        const file = world.parse(body, query.file ?? 'world')
        const changes = await database.write((tx) =>
          world.apply(file, tx, now, query.mode ?? 'add'),
        )
        parts.remember(file)
        parts.wakeJobs()
        return { changes }
      } catch (error) {
        if (!(error instanceof WorldFileError)) throw error
        throw new BadRequest(error.text.en, error.text.ja)
      }
    },

    async reset({ body }, { now }) {
      refuseControl(parts.locks)
      try {
        await parts.reset(body.to, now)
        parts.wakeJobs()
        return {}
      } catch (error) {
        // Worlds that were applied one after the other may contradict each other when all come back.
        if (!(error instanceof WorldFileError)) throw error
        throw new Conflict(error.text.en, error.text.ja)
      }
    },
  }
}
