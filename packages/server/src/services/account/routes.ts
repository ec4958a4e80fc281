import type { Handlers } from '../../kernel/contract.ts'
import type { Context } from '../context.ts'
import type { accountContract } from './contract.ts'
import { AccountStore } from './store.ts'
import { authStatusToWire } from './wire.ts'

export const accountHandlers: Handlers<typeof accountContract, Context> = {
  async authStatus(_input, { tx, caller }) {
    const account = await new AccountStore(tx).get(caller.accountId)
    return authStatusToWire(account, caller)
  },
}
