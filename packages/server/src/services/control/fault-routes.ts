import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest } from '../../kernel/errors.ts'
import type { Database } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
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

    async faultAdd({ body }, { database }) {
      refuseControl(locks)
      if (!operations.has(body.operation)) {
        throw new BadRequest(
          `${body.operation} is no operation of the interface.`,
          `${body.operation} という操作はインターフェースにありません。`,
        )
      }
      const plan = planFromWire(body)
      const { account } = plan
      if (account !== undefined && !(await hasAccount(database, account))) {
        throw new BadRequest(
          `There is no account ${account}.`,
          `アカウント ${account} はありません。`,
        )
      }
      return { fault: faultToWire(book.add(plan)) }
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

function hasAccount(database: Database, code: string): Promise<boolean> {
  return database.read(async (tx) => (await new AccountStore(tx).find(code)) !== undefined)
}
