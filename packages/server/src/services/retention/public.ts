/** What slices say that ages, and the job that deletes it. */
export { agedByMonth, agedByTime } from './aged.ts'
export { retentionJob } from './job.ts'
