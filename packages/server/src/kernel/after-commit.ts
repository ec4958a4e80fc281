/**
 * What a handler answers with when its answer depends on what happens after its transaction is durable, such as
 * others who act on it. `finish` runs outside of the transaction.
 */
export class AfterCommit<T> {
  readonly finish: () => Promise<T>

  constructor(finish: () => Promise<T>) {
    this.finish = finish
  }
}
