/** The worlds that a server is started with, and the way back to them. */
import { readFileSync } from 'node:fs'
import { AccountStore } from '../services/account/public.ts'
import type { World, WorldFile } from '../services/operator/public.ts'
import type { Database, Tx } from '../storage/database.ts'
import { reason, StartError } from './data-folder.ts'
import { DEMO_WORLD } from './demo-world.ts'

export class StartWorlds {
  readonly #world: World
  readonly #files: WorldFile[]
  readonly #demo: boolean

  /** `demo` says whether a server without any world gets the demo world. */
  constructor(world: World, given: readonly (string | object)[], demo: boolean) {
    this.#world = world
    this.#demo = demo && given.length === 0
    this.#files = given.map((one) =>
      typeof one === 'string' ? world.parse(readWorld(one), one) : world.from(one),
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

function readWorld(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new StartError(`The world file ${path} cannot be read: ${reason(error)}.`)
  }
}
