import type { Refusal } from './types.ts'

const NAME = 'RefusalError'

/** A refusal, thrown by the calls that throw. */
export class RefusalError<Code extends string = string> extends Error {
  readonly operation: string
  readonly refusal: Refusal<Code>

  /**
   * By name: a process may have this package more than once, as a module, as CommonJS and inside `kumoi/testing`,
   * and an error of any of them is one.
   */
  static override [Symbol.hasInstance](value: unknown): value is RefusalError {
    return value instanceof Error && value.name === NAME
  }

  constructor(operation: string, refusal: Refusal<Code>) {
    super(`${operation} was refused with ${refusal.code} (${refusal.status}): ${refusal.message}`)
    this.name = NAME
    this.operation = operation
    this.refusal = refusal
  }
}
