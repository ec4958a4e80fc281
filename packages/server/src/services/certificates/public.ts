export type { Authority, CertificateOrders, Challenges } from './orders.ts'
export { challengeToken, type Issued, renewAt, retryAt } from './rules.ts'
export { SEALED_BY_ACME } from './store.ts'
