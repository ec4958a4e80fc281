/** Plugs in what tests control the cloud with. */
import type { Config } from '../config.ts'
import { OPERATOR } from '../contracts.ts'
import type { ControlledClock } from '../kernel/controlled-clock.ts'
import { clockContract } from '../services/control/clock-contract.ts'
import { clockHandlers } from '../services/control/public.ts'
import type { Plug } from './plug.ts'

export function plugControl(options: {
  readonly config: Pick<Config, 'mode'>
  readonly clock: ControlledClock
}): Plug {
  const operating = options.config.mode === 'operate'
  return {
    mount({ operatorEdge, operatorDoor: door }) {
      operatorEdge.mount({
        family: OPERATOR,
        contract: clockContract,
        handlers: clockHandlers(options.clock, operating),
        door,
      })
    },
  }
}
