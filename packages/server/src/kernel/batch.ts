/**
 * Work that was added in one iteration of the event loop runs together after it: the processor does one kind
 * of work at a time, which costs less (docs/performance.md).
 */
export class Batch {
  #waiting: (() => void)[] = []

  add(work: () => void): void {
    this.#waiting.push(work)
    if (this.#waiting.length === 1) setImmediate(() => this.#run())
  }

  #run(): void {
    const all = this.#waiting
    this.#waiting = []
    for (const work of all) work()
  }
}
