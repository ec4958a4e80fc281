/** The worlds that a server is started with, and the way back to them. */

import type { ControlledClock } from '../../kernel/controlled-clock.ts'
import type { Database, Tx } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { type DemoPast, demoSince } from '../demo.ts'
import { addPast, deferPast } from './demo-past.ts'
import { demoWorld, smallDemoWorld } from './demo-world.ts'
import type { World } from './world.ts'
import type { WorldFile } from './world-file.ts'

/** A file as it was read, or a world that a test has written down. */
export type WorldSource =
  | { readonly path: string; readonly text: string }
  | { readonly world: object }

/**
 * What a server without any world gets: the demo world with its past, a small one without (a cloud inside a test,
 * which is started often), or nothing.
 */
export type Demo = 'full' | 'small' | 'none'

export class StartWorlds {
  readonly #world: World
  readonly #files: WorldFile[]
  readonly #demo: Demo
  readonly #pasts: readonly DemoPast[]

  constructor(
    world: World,
    { worlds, demo }: { readonly worlds: readonly WorldSource[]; readonly demo: Demo },
    mayDemo: boolean,
    pasts: readonly DemoPast[],
  ) {
    this.#world = world
    this.#demo = mayDemo && worlds.length === 0 ? demo : 'none'
    this.#pasts = pasts
    this.#files = worlds.map((source) =>
      'text' in source ? world.parse(source.text, source.path) : world.from(source.world),
    )
  }

  /** At start: files are applied each time; the demo world only where there is nothing yet. */
  async applyAtStart(database: Database, clock: ClockState): Promise<void> {
    await database.write(async (tx) => {
      const isNew = (await new AccountStore(tx).list()).length === 0
      if (isNew || this.#demo === 'none') await this.#applyAll(tx, clock)
    })
  }

  /** A world that was applied while running belongs to what a reset brings back. */
  remember(file: WorldFile): void {
    this.#files.push(file)
  }

  /** Complete when it returns. */
  applyAll(tx: Tx, now: Date): Promise<void> {
    return this.#applyAll(tx, { now: () => now, mode: 'frozen' })
  }

  async #applyAll(tx: Tx, clock: ClockState): Promise<void> {
    const now = clock.now()
    if (this.#demo === 'small') await this.#apply(smallDemoWorld(now), tx, now)
    if (this.#demo === 'full') {
      // Its things are as old as its past.
      await this.#apply(demoWorld(now), tx, demoSince(now))
      if (clock.mode === 'frozen') await addPast(tx, now, this.#pasts)
      else await deferPast(tx, now)
    }
    for (const file of this.#files) await this.#world.apply(file, tx, now, 'add')
  }

  async #apply(demo: object, tx: Tx, at: Date): Promise<void> {
    await this.#world.apply(this.#world.trust(demo), tx, at, 'add')
  }
}

type ClockState = Pick<ControlledClock, 'now' | 'mode'>
