/**
 * Which works are not worth trying in a group, by what they begin with: when several that began alike did not fit,
 * one after the other, the next ones are not even tried.
 */
import type { Sql } from './sql.ts'

const MOST_MISFITS = 3
const UNTRIED = 100

interface Kin {
  misfits: number
  /** So many more are not tried. */
  untried: number
}

/** To those that do not fit, the answer to all further questions. Each has its own, so that nothing keeps them. */
export const never = () => new Promise<never>(() => undefined)

export class Misfits {
  /** By the chunks of statements that are fixed in our source; others never begin alike. */
  readonly #kin = new WeakMap<readonly string[], Kin>()

  /** False for one that is not tried. */
  tries({ chunks }: Sql): boolean {
    const kin = this.#kin.get(chunks)
    if (kin === undefined || kin.untried === 0) return true
    kin.untried -= 1
    return false
  }

  add({ chunks }: Sql): void {
    const kin = this.#kin.get(chunks) ?? { misfits: 0, untried: 0 }
    kin.misfits += 1
    if (kin.misfits >= MOST_MISFITS) kin.untried = UNTRIED
    this.#kin.set(chunks, kin)
  }

  /** One that began so did fit. */
  forget({ chunks }: Sql): void {
    this.#kin.delete(chunks)
  }
}
