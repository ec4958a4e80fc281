import { CLOUD, IAM } from '../families.ts'
import { byAccount, byKey, type Module } from '../module.ts'
import { accountContract } from './contract.ts'
import { identityContract } from './identity-contract.ts'
import { type KeyRing, SEALED } from './key-ring.ts'
import { ownQuotaContract } from './quota-contract.ts'
import { accountHandlers, identityHandlers, ownQuotaHandlers } from './routes.ts'
import { accountsSection } from './world.ts'

export function accountModule(ring: KeyRing): Module {
  return {
    sections: [accountsSection(ring)],
    sealed: [SEALED],
    operations: [
      byAccount(IAM, identityContract, identityHandlers),
      byKey(CLOUD, accountContract, accountHandlers),
      byKey(CLOUD, ownQuotaContract, ownQuotaHandlers),
    ],
  }
}
