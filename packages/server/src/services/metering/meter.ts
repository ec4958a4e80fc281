/**
 * The port through which slices report what is billable, in the transaction of what they do: both are
 * written, or neither is. What has been reported already adds nothing (docs/adr/0022-metering.md).
 */
import type { Wake } from '../../kernel/job.ts'
import type { Tx } from '../../storage/database.ts'
import { PeriodStore } from './period-store.ts'
import { type AddedUse, BILLING_JOB, monthOf, type PastUse, type Use } from './rules.ts'
import { UsageStore } from './store.ts'

export class Meter {
  readonly #tx: Tx
  readonly #store: UsageStore
  readonly #wake: Wake

  /**
   * Billing sleeps while nothing is in use, so it is woken by what begins. Worlds wake all jobs, and
   * bytes of a resource that is in use already need no one to be woken: both leave `wake` out.
   */
  constructor(tx: Tx, wake: Wake = () => undefined) {
    this.#tx = tx
    this.#store = new UsageStore(tx)
    this.#wake = wake
  }

  /** From now on the time counts, until `end`. */
  async begin(use: Use, at: Date): Promise<void> {
    await this.#name(use)
    if (await this.#store.open(use, at)) this.#billLater()
  }

  /** The resource is no longer in use, or gone; without a use there is nothing to end. */
  end(resourceId: string, at: Date): Promise<void> {
    return this.#store.close(resourceId, at)
  }

  /** One thing was used; `event` is an id that it alone has. */
  async count(use: Use, event: string, at: Date): Promise<void> {
    await this.#name(use)
    if (await this.#store.insert(use, event, await this.#month(at), at)) this.#billLater()
  }

  /** So much more was used; the caller knows that it has not reported this before. */
  async add(use: Use, quantity: number, at: Date): Promise<void> {
    if (quantity === 0) return
    await this.#name(use)
    await this.#store.add(use, quantity, await this.#month(at), at)
    this.#billLater()
  }

  /** The same for many. */
  async addAll(used: readonly AddedUse[]): Promise<void> {
    const some = used.filter(({ quantity }) => quantity > 0)
    if (some.length === 0) return
    const period = await new PeriodStore(this.#tx).find()
    await this.#store.addAll(some.map((one) => ({ ...one, month: monthOf(one.at, period) })))
    this.#billLater()
  }

  /** What was used before anything was reported, each month of a resource and product once. */
  async insertPast(uses: readonly PastUse[]): Promise<void> {
    for (const { use } of uses) await this.#name(use)
    await this.#store.insertSums(uses)
  }

  /** So much was used in that month, whatever was said before. A closed month stays as it is. */
  async set(use: Use, quantity: number, month: Date): Promise<void> {
    if ((await this.#month(month)) > month) return
    await this.#name(use)
    await this.#store.replace(use, quantity, month)
    this.#billLater()
  }

  rename(resourceId: string, name: string): Promise<void> {
    return this.#store.rename(resourceId, name)
  }

  async #name({ resourceId, name }: Use): Promise<void> {
    if (name !== undefined) await this.#store.name(resourceId, name)
  }

  async #month(at: Date): Promise<Date> {
    return monthOf(at, await new PeriodStore(this.#tx).find())
  }

  #billLater(): void {
    this.#tx.afterCommit(() => this.#wake(BILLING_JOB))
  }
}
