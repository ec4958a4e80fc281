/** The price list as an account, or a stranger, has it. */
import type { Tx } from '../../storage/database.ts'
import { CATALOGUE } from './catalogue-rules.ts'
import { chargeFor, type Product } from './rules.ts'
import { PriceStore } from './store.ts'

export class PriceList {
  readonly #products: ReadonlyMap<number, Product>

  private constructor(products: readonly Product[]) {
    // A later one takes the place of an earlier one of the same id.
    this.#products = new Map(products.map((product) => [product.serviceClassId, product]))
  }

  static async of(tx: Tx, accountId: string): Promise<PriceList> {
    const given = await new PriceStore(tx).listFor(accountId)
    return new PriceList([...CATALOGUE, ...given.map(({ product }) => product)])
  }

  static async ofStrangers(tx: Tx): Promise<PriceList> {
    const given = await new PriceStore(tx).listFor(undefined)
    const all = new PriceList([...CATALOGUE, ...given.map(({ product }) => product)])
    return new PriceList(all.list().filter(({ isPublic }) => isPublic))
  }

  /** In the order of their ids. */
  list(): Product[] {
    return [...this.#products.values()].sort((a, b) => a.serviceClassId - b.serviceClassId)
  }

  find(serviceClassId: number): Product | undefined {
    return this.#products.get(serviceClassId)
  }

  /** What so much of a built-in product costs here. */
  charge(product: Product, used: number): number {
    return chargeFor(this.find(product.serviceClassId) ?? product, used)
  }
}
