/** The server that a sequence runs against. */
import type { Request } from './command.ts'
import type { Answer } from './compare.ts'

export interface Target {
  /** Undefined when the answer does not come. */
  send(request: Request): Promise<Answer | undefined>
  /** Stopped and started again, on the same data. */
  restart(): Promise<void>
  /** Killed and started again, where that can be done. */
  kill?(): Promise<void>
  close(): Promise<void>
}
