/** What other slices, planes and the composition may use of SIMs. */
export { Accounting } from './accounting.ts'
export type { Entry, SubscriberKey } from './accounting-entries.ts'
export { unknownElement } from './accounting-refusals.ts'
export { INTERIM_SECONDS } from './accounting-rules.ts'
export { Carriers } from './carriers.ts'
export { LogEntry, SimDetail } from './contract.ts'
export { Devices } from './devices.ts'
export type { ElementRequests } from './element-requests.ts'
export {
  carrierOf,
  type ElementKey,
  type Elements,
  elementOf,
  type KnownElement,
} from './elements.ts'
export { deviceOf, trafficOf, trafficSource } from './fleet-rules.ts'
export type { Fleet } from './fleet-store.ts'
export { forgetStepsJob } from './forget-steps-job.ts'
export { GatewaySims } from './gateway-sims.ts'
export { networkHistory } from './history-store.ts'
export { SESSION_JOBS } from './jobs.ts'
export { LOG_COUNT_DEFAULT } from './log-rules.ts'
export {
  type Counted,
  type CountedSim,
  type DeviceSettings,
  joinNetworks,
  type Network,
  type Networks,
  NO_DEVICE_SETTINGS,
} from './networks.ts'
export type { Sim } from './rules.ts'
export type {
  Device,
  ElementSession,
  EndCause,
  NetworkKey,
  Reason,
  Session,
  Traffic,
} from './session-rules.ts'
export { SessionShaping } from './session-shaping.ts'
export { countElementSessions, SessionStore } from './session-store.ts'
export { type Admission, Sessions } from './sessions.ts'
export { findSim, findSims, listSims } from './store.ts'
export { findSubscribers } from './subscriber-store.ts'
export { mergeSteps, type Step } from './traffic-rules.ts'
export { networkTraffic } from './traffic-store.ts'
