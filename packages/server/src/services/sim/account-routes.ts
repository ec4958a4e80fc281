import type { Handlers } from '../../kernel/contract.ts'
import { japanDayStart, utcMicros } from '../../kernel/datetime.ts'
import { type Span, STEP_MS, stepOf } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import { AccountStore } from '../account/public.ts'
import type { OperatorContext } from '../context.ts'
import type { accountFiguresContract } from './account-contract.ts'
import { listDeviceEvents } from './account-event-store.ts'
import { AccountTrafficStore } from './account-traffic-store.ts'
import { accountHistory } from './history-store.ts'
import type { DeviceEvent } from './log-rules.ts'
import { mergeSteps, type Step } from './traffic-rules.ts'

const EVENTS_MAX = 30
const MONTH_DAYS = 30

export const accountFiguresHandlers: Handlers<typeof accountFiguresContract, OperatorContext> = {
  accountTrafficRead: ({ params, query }, { database, now }) =>
    database.read(async (tx) => {
      const { id } = await new AccountStore(tx).getByCode(params.code)
      const store = new AccountTrafficStore(tx, id)
      const isMonth = query.span === 'month'
      const { running, stepMs, ...span } = isMonth ? daysUntil(now) : stepsUntil(now)
      const counted = await (isMonth ? store.listDays(span) : store.listSteps(span))
      const past = await accountHistory(tx, id, span)
      const steps = mergeSteps(counted, isMonth ? past.map(atDay) : past)
      return {
        from: timeOf(span.from),
        to: timeOf(span.to),
        running_since: timeOf(running),
        step_seconds: stepMs / 1000,
        steps: steps.map(({ at, uplinkBytes, downlinkBytes }) => ({
          ...{ time: timeOf(at), uplink_bytes: uplinkBytes, downlink_bytes: downlinkBytes },
        })),
      }
    }),

  accountEventList: ({ params }, { database }) =>
    database.read(async (tx) => {
      const { id } = await new AccountStore(tx).getByCode(params.code)
      return { events: (await listDeviceEvents(tx, id, EVENTS_MAX)).map(eventToWire) }
    }),
}

interface Shown extends Span {
  /** When the step began that is not over. */
  readonly running: number
  readonly stepMs: number
}

/** 24 hours, of which the last step is running. */
function stepsUntil(now: Date): Shown {
  const running = stepOf(now)
  return { from: running + STEP_MS - DAY_MS, to: running + STEP_MS, running, stepMs: STEP_MS }
}

/** 30 days in Japan, of which the last is today. */
function daysUntil(now: Date): Shown {
  const running = japanDayStart(now).getTime()
  return {
    from: running - (MONTH_DAYS - 1) * DAY_MS,
    ...{ to: running + DAY_MS, running, stepMs: DAY_MS },
  }
}

function atDay(step: Step): Step {
  return { ...step, at: japanDayStart(new Date(step.at)).getTime() }
}

function timeOf(time: number): string {
  return utcMicros(new Date(time))
}

function eventToWire({ at, event, simId, name, iccid, reason }: DeviceEvent) {
  return { time: utcMicros(at), event, resource_id: simId, name, iccid, reason: reason ?? null }
}
