import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest } from '../../kernel/errors.ts'
import type { OperatorContext } from '../context.ts'
import type { FaultBook } from './fault-book.ts'
import type { faultContract } from './fault-contract.ts'
import { faultToWire, planFromWire } from './fault-wire.ts'
import { type Locks, refuseControl } from './lock.ts'

/** `operations` are those that a fault may happen to. */
export function faultHandlers(
  book: FaultBook,
  operations: ReadonlySet<string>,
  locks: Locks,
): Handlers<typeof faultContract, OperatorContext> {
  return {
    async faultList() {
      return { faults: book.list().map(faultToWire) }
    },

    async faultAdd({ body }) {
      refuseControl(locks)
      if (!operations.has(body.operation)) {
        throw new BadRequest(
          `${body.operation} is no operation of the interface.`,
          `${body.operation} という操作はインターフェースにありません。`,
        )
      }
      return { fault: faultToWire(book.add(planFromWire(body))) }
    },

    async faultRead({ params }) {
      return { fault: faultToWire(book.get(params.id)) }
    },

    async faultDelete({ params }) {
      book.delete(params.id)
      return {}
    },

    async faultClear() {
      book.clear()
      return {}
    },
  }
}
