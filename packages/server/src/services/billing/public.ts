/** What the composition uses of billing. */
export { billingJob } from './jobs.ts'
export { paymentHandlers } from './payment-routes.ts'
export { billingHandlers } from './routes.ts'
export { billsSection } from './world.ts'
