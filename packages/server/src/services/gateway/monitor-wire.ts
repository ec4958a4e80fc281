import { japanTime } from '../../kernel/datetime.ts'
import { bitsPerSecond } from '../../kernel/steps.ts'
import type { MonitorStep } from './monitor-rules.ts'

/** Bits a second over each step, by the time at which it begins. */
export function monitorToWire(steps: readonly MonitorStep[]) {
  return Object.fromEntries(
    steps.map(({ at, sendBytes, receiveBytes }) => [
      japanTime(new Date(at)),
      { Send: bitsPerSecond(sendBytes), Receive: bitsPerSecond(receiveBytes) },
    ]),
  )
}
