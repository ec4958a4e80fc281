import { BILLING } from '../families.ts'
import { byKey, byOperator, type Module } from '../module.ts'
import { agedUsage } from './aged-usage.ts'
import { billingContract } from './contract.ts'
import { demoBills } from './demo.ts'
import { billingJob } from './jobs.ts'
import { paymentContract } from './payment-contract.ts'
import { paymentHandlers } from './payment-routes.ts'
import { billingHandlers } from './routes.ts'
import { billsSection } from './world.ts'

export const billingModule: Module = {
  demoPast: demoBills,
  jobs: [billingJob],
  aged: agedUsage,
  sections: [billsSection],
  operations: [
    byKey(BILLING, billingContract, billingHandlers),
    byOperator(paymentContract, paymentHandlers),
  ],
}
