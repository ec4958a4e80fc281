import { forgetStepsJob } from '../sim/public.ts'
import { deleteMonitorStepsBefore, oldestMonitorStep } from './monitor-store.ts'

export const FORGET_MONITORS = 'gateway-monitor-forget'

export const forgetMonitorsJob = forgetStepsJob(
  FORGET_MONITORS,
  oldestMonitorStep,
  deleteMonitorStepsBefore,
)
