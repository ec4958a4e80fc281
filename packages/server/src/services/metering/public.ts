/** Slices report by `Meter`; billing reads the rest. */
export { Meter } from './meter.ts'
export { PeriodStore } from './period-store.ts'
export { BILLING_JOB, type PastUse, type Period, type Use, type Used } from './rules.ts'
export { type After, isAnythingUsed, oldestUse, UsedStore } from './used-store.ts'
