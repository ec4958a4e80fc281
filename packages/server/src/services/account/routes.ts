import type { Handlers } from '../../kernel/contract.ts'
import type { AccountContext, Context } from '../context.ts'
import type { accountContract } from './contract.ts'
import type { identityContract } from './identity-contract.ts'
import type { ownQuotaContract } from './quota-contract.ts'
import { quotaUses } from './quotas.ts'
import { AccountStore } from './store.ts'
import { authContextToWire, authStatusToWire, quotaToWire } from './wire.ts'

export const accountHandlers: Handlers<typeof accountContract, Context> = {
  async authStatus(_input, { tx, caller }) {
    const account = await new AccountStore(tx).get(caller.accountId)
    return authStatusToWire(account, caller)
  },
}

export const identityHandlers: Handlers<typeof identityContract, AccountContext> = {
  authContext: async (_input, { caller }) => authContextToWire(caller),
}

export const ownQuotaHandlers: Handlers<typeof ownQuotaContract, Context> = {
  async ownQuotaList(_input, { tx, caller, now }) {
    const { id: accountId, quotas } = await new AccountStore(tx).get(caller.accountId)
    return { Quotas: (await quotaUses(tx, { accountId, quotas }, now)).map(quotaToWire) }
  },
}
