import { type Fired, RunningClock } from '../../kernel/clock.ts'
import type { Handlers } from '../../kernel/contract.ts'
import type { ControlledClock } from '../../kernel/controlled-clock.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import type { OperatorContext } from '../context.ts'
import type { clockContract } from './clock-contract.ts'
import { advanceTarget, changeOf } from './clock-rules.ts'
import { type Locks, refuseClockChange } from './lock.ts'

export function clockHandlers(
  clock: ControlledClock,
  locks: Locks,
): Handlers<typeof clockContract, OperatorContext> {
  const shown = () => ({ mode: clock.mode, now: utcMicros(clock.now()), scale: clock.scale })
  return {
    async clockRead() {
      return shown()
    },

    async clockSet({ body }) {
      refuseClockChange(locks)
      await clock.change(() => changeOf(clock.state, body, new RunningClock().now()))
      return shown()
    },

    async clockAdvance({ body }) {
      refuseClockChange(locks)
      const fired = await clock.advance(() => advanceTarget(clock.state, body))
      return { now: utcMicros(clock.now()), fired: fired.map(alarmToWire) }
    },

    async clockTimers() {
      return { timers: clock.pending().map(alarmToWire) }
    },
  }
}

function alarmToWire({ name, at }: Fired) {
  return { name, at: utcMicros(at) }
}
