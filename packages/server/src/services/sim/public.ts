/** What other slices, planes and the composition may use of SIMs. */
export { GatewaySims } from './gateway-sims.ts'
export { joinNetworks, type Network, type Networks } from './networks.ts'
export type { Sim } from './rules.ts'
export type { Device, NetworkKey, Reason, Session, Traffic } from './session-rules.ts'
export { type Admission, Sessions } from './sessions.ts'
