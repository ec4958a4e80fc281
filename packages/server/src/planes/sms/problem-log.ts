/** Logs what is wrong with a gateway when it begins, not once a message. */
import type { Log } from '../../kernel/log.ts'

export class ProblemLog {
  readonly #log: Log
  readonly #transport: string
  #last: string | undefined

  constructor(log: Log, transport: string) {
    this.#log = log
    this.#transport = transport
  }

  /** No address, text or secret is in it. */
  add(problem: string): void {
    if (problem === this.#last) return
    this.#last = problem
    const err = new Error(problem)
    this.#log.error({ err, transport: this.#transport }, 'the SMS gateway takes no message')
  }

  clear(): void {
    this.#last = undefined
  }
}
