import { deleteAccountStepsBefore, oldestAccountStep } from './account-traffic-store.ts'
import { forgetStepsJob } from './forget-steps-job.ts'

export const ACCOUNT_TRAFFIC_JOB = 'sim-account-traffic-forget'

export const accountTrafficJob = forgetStepsJob(
  ACCOUNT_TRAFFIC_JOB,
  oldestAccountStep,
  deleteAccountStepsBefore,
)
