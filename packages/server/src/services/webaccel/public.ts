/** What the composition uses of the web accelerator. */
export { autoCertificateJob, type Issuer } from './auto-certificate-job.ts'
export { autoCertificateHandlers } from './auto-certificate-routes.ts'
export { CallRateStore } from './call-rate-store.ts'
export type { DatabaseEdges } from './database-edges.ts'
export { useNonce } from './digest-use-store.ts'
export type * from './edge-types.ts'
export { webaccelHandlers } from './routes.ts'
export { Vault } from './vault.ts'
