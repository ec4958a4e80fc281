/**
 * What the composition uses of the web accelerator, and what a caching edge will: sites, certificates with
 * their keys, purges, and how it tells what it has delivered.
 */
export { autoCertificateJob, type Issuer } from './auto-certificate-job.ts'
export { autoCertificateHandlers } from './auto-certificate-routes.ts'
export { CallRateStore } from './call-rate-store.ts'
export { CertificateStore } from './certificate-store.ts'
export { countDelivery } from './deliveries.ts'
export { useNonce } from './digest-use-store.ts'
export { PurgeStore } from './purge-store.ts'
export { webaccelHandlers } from './routes.ts'
export { SiteStore } from './site-store.ts'
export { UsageStore } from './usage-store.ts'
export { Vault } from './vault.ts'
