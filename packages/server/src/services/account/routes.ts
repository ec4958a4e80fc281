import type { Handlers } from '../../kernel/contract.ts'
import type { AccountContext, Context } from '../context.ts'
import type { accountContract } from './contract.ts'
import type { identityContract } from './identity-contract.ts'
import { AccountStore } from './store.ts'
import { authContextToWire, authStatusToWire } from './wire.ts'

export const accountHandlers: Handlers<typeof accountContract, Context> = {
  async authStatus(_input, { tx, caller }) {
    const account = await new AccountStore(tx).get(caller.accountId)
    return authStatusToWire(account, caller)
  },
}

export const identityHandlers: Handlers<typeof identityContract, AccountContext> = {
  authContext: async (_input, { caller }) => authContextToWire(caller),
}
