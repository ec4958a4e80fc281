/** What the composition and planes may use of gateways. */

export { gatewayNetworks } from './network.ts'
export { type GatewayNetwork, networkOf } from './network-rules.ts'
export type { Notifier } from './notices.ts'
export { trafficControlBody } from './parts-contract.ts'
