/** The ports to the outside that everything else is handed: time, randomness, the log. */
import type { Config } from '../config.ts'
import { FrozenClock, RunningClock } from '../kernel/clock.ts'
import { ControlledClock } from '../kernel/controlled-clock.ts'
import { type Log, newLog } from '../kernel/log.ts'
import { type Random, SeededRandom, systemRandom } from '../kernel/random.ts'
import type { Transport } from '../services/sms/public.ts'
import { standardError } from './standard-error.ts'

export interface Ports {
  readonly clock: ControlledClock
  readonly random: Random
  readonly log: Log
  /** What carries short messages; the network inside the database when there is none. */
  readonly sms?: Transport
}

export function makePorts(config: Pick<Config, 'clock' | 'seed' | 'logLevel'>): Ports {
  const clock = new ControlledClock(makeClock(config.clock))
  return {
    clock,
    random: config.seed === undefined ? systemRandom : new SeededRandom(config.seed),
    log: newLog(config.logLevel, () => clock.now(), standardError),
  }
}

function makeClock(setting: Config['clock']): RunningClock | FrozenClock {
  if (setting.mode === 'frozen') return new FrozenClock(setting.at ?? new RunningClock().now())
  return new RunningClock(setting.mode === 'scale' ? setting.scale : 1)
}
