import type { Refusal } from './types.ts'

/** A refusal, thrown by the calls that throw. */
export class RefusalError<Code extends string = string> extends Error {
  readonly operation: string
  readonly refusal: Refusal<Code>

  constructor(operation: string, refusal: Refusal<Code>) {
    super(`${operation} was refused with ${refusal.code} (${refusal.status}): ${refusal.message}`)
    this.name = 'RefusalError'
    this.operation = operation
    this.refusal = refusal
  }
}
