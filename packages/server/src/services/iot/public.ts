/** What the composition, planes and other slices may use of the IoT platform. */
export type { Adapter } from './adapter-rules.ts'
export { listBlobKeys } from './file-store.ts'
export { LiveMessages, type News } from './live.ts'
export { projectNetworks } from './network.ts'
export type { Project } from './project-rules.ts'
export { signatureProblem, signWebhook } from './signature-rules.ts'
export { ADAPTER_PATHS } from './wire.ts'
