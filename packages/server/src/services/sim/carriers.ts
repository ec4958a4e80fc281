import type { Tx } from '../../storage/database.ts'
import type { Carrier } from './carrier-rules.ts'
import { CarrierStore } from './carrier-store.ts'

/** The carriers there are: those of the world or, where it names none, the words' own. */
export class Carriers {
  readonly #fallback: readonly Carrier[]

  constructor(names: readonly string[]) {
    this.#fallback = names.map((name) => ({ name, countryCode: 'JP' }))
  }

  async list(tx: Tx): Promise<readonly Carrier[]> {
    const named = await new CarrierStore(tx).list()
    return named.length === 0 ? this.#fallback : named
  }
}
