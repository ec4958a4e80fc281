/** Applies and exports worlds, through the sections that the slices provide. */
import type { Tx } from '../../storage/database.ts'
import { type Changes, type WorldMode, WorldProblem, type WorldSection } from '../world-section.ts'
import { parseWorld, type WorldCheck, type WorldFile, worldCheck, worldFrom } from './world-file.ts'

export class World {
  readonly #sections: readonly WorldSection[]
  readonly #check: WorldCheck

  constructor(sections: readonly WorldSection[]) {
    this.#sections = sections
    this.#check = worldCheck(sections)
  }

  /** Throws a WorldFileError that names the line. */
  parse(text: string, file: string): WorldFile {
    return parseWorld(text, file, this.#check)
  }

  /** Of a world that is an object already. */
  from(world: object): WorldFile {
    return worldFrom(world, 'world', this.#check)
  }

  /** Of a world that comes with the server: a test has checked it, and a start has no time for it. */
  trust(world: object): WorldFile {
    return worldFrom(world, 'world', () => undefined)
  }

  /** All of the file or, with the transaction, nothing of it. */
  async apply(
    file: WorldFile,
    tx: Tx,
    now: Date,
    mode: WorldMode,
  ): Promise<Record<string, Changes>> {
    const changes: Record<string, Changes> = {}
    for (const section of this.#sections) {
      const value = file.world[section.key]
      if (value === undefined) continue
      try {
        changes[section.key] = await section.apply(value, tx, now, mode)
      } catch (error) {
        throw error instanceof WorldProblem ? file.locate(section.key, error) : error
      }
    }
    return changes
  }

  async export(tx: Tx): Promise<{ version: 1 } & Record<string, unknown>> {
    const world: { version: 1 } & Record<string, unknown> = { version: 1 }
    for (const section of this.#sections) {
      const value = await section.export(tx)
      if (value !== undefined) world[section.key] = value
    }
    return world
  }
}
