/** Makes the ports to the outside as the settings want them: time, randomness, the log, mail. */

import type { Config } from '../config.ts'
import { FrozenClock, RunningClock } from '../kernel/clock.ts'
import { ControlledClock } from '../kernel/controlled-clock.ts'
import { newLog } from '../kernel/log.ts'
import { SeededRandom, systemRandom } from '../kernel/random.ts'
import type { Ports } from '../parts.ts'
import { makeMailer } from './mail.ts'
import { standardError } from './standard-error.ts'

export function makePorts(config: Pick<Config, 'clock' | 'seed' | 'logLevel' | 'mail'>): Ports {
  const clock = new ControlledClock(makeClock(config.clock))
  return {
    clock,
    random: config.seed === undefined ? systemRandom : new SeededRandom(config.seed),
    log: newLog(config.logLevel, () => clock.now(), standardError),
    mail: config.mail && makeMailer(config.mail),
  }
}

function makeClock(setting: Config['clock']): RunningClock | FrozenClock {
  if (setting?.mode === 'frozen') return new FrozenClock(setting.at ?? new RunningClock().now())
  return new RunningClock(setting?.mode === 'scale' ? setting.scale : 1)
}
