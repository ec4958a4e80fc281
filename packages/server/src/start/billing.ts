/** Plugs in bills, the price list and maintenances: what an account is told rather than does. */
import { BILLING, CLOUD, MAINTENANCE, OPERATOR } from '../contracts.ts'
import { accountAccess, visitorAccess } from '../http/auth/access.ts'
import { billingContract } from '../services/billing/contract.ts'
import { paymentContract } from '../services/billing/payment-contract.ts'
import {
  billingHandlers,
  billingJob,
  billsSection,
  paymentHandlers,
} from '../services/billing/public.ts'
import { announcementContract } from '../services/maintenance/announcement-contract.ts'
import { announcementHandlers } from '../services/maintenance/announcement-routes.ts'
import { maintenanceContract } from '../services/maintenance/contract.ts'
import { maintenanceHandlers } from '../services/maintenance/routes.ts'
import { maintenancesSection } from '../services/maintenance/world.ts'
import { pricingContract } from '../services/pricing/contract.ts'
import { pricingHandlers } from '../services/pricing/routes.ts'
import { pricesSection } from '../services/pricing/world.ts'
import type { Plug } from './plug.ts'

export const billingPlug: Plug = {
  jobs: [billingJob],
  sections: [pricesSection, billsSection, maintenancesSection],
  mount({ api, operatorApi, access, operatorAccess, keyOptions }) {
    const bills = { contract: billingContract, handlers: billingHandlers }
    const prices = { contract: pricingContract, handlers: pricingHandlers }
    const maintenances = { contract: maintenanceContract, handlers: maintenanceHandlers }
    api.mount({ family: BILLING, access, ...bills })
    api.mount({ family: CLOUD, access: visitorAccess(keyOptions), ...prices })
    api.mount({ family: MAINTENANCE, access: accountAccess(keyOptions), ...maintenances })
    const payments = { contract: paymentContract, handlers: paymentHandlers }
    const announcements = { contract: announcementContract, handlers: announcementHandlers }
    operatorApi.mount({ family: OPERATOR, access: operatorAccess, ...payments })
    operatorApi.mount({ family: OPERATOR, access: operatorAccess, ...announcements })
  },
}
