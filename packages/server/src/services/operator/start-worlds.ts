/** The worlds that a server is started with, and the way back to them. */

import type { Database, Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { DEMO_WORLD } from './demo-world.ts'
import type { World } from './world.ts'
import type { WorldFile } from './world-file.ts'

/** A file as it was read, or a world that a test has written down. */
export type WorldSource =
  | { readonly path: string; readonly text: string }
  | { readonly world: object }

export class StartWorlds {
  readonly #world: World
  readonly #files: WorldFile[]
  readonly #demo: boolean

  /** `demo` says whether a server without any world gets the demo world. */
  constructor(world: World, sources: readonly WorldSource[], demo: boolean) {
    this.#world = world
    this.#demo = demo && sources.length === 0
    this.#files = sources.map((source) =>
      'text' in source ? world.parse(source.text, source.path) : world.from(source.world),
    )
  }

  /** At start: files are applied each time; the demo world only where there is nothing yet. */
  async applyAtStart(database: Database, now: Date): Promise<void> {
    await database.write(async (tx) => {
      const isNew = (await new AccountStore(tx).list()).length === 0
      if (isNew || !this.#demo) await this.applyAll(tx, now)
    })
  }

  /** A world that was applied while running belongs to what a reset brings back. */
  remember(file: WorldFile): void {
    this.#files.push(file)
  }

  async applyAll(tx: Tx, now: Date): Promise<void> {
    // Read only where it is wanted: most starts find their world in the database.
    const demo = this.#demo ? [this.#world.trust(DEMO_WORLD)] : []
    for (const file of [...demo, ...this.#files]) await this.#world.apply(file, tx, now, 'add')
  }
}
