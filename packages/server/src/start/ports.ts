/** The ports to the outside that everything else is handed: time, randomness, the log. */
import pino, { type Logger } from 'pino'
import type { Config } from '../config.ts'
import { FrozenClock, RunningClock } from '../kernel/clock.ts'
import { ControlledClock } from '../kernel/controlled-clock.ts'
import { type Random, SeededRandom, systemRandom } from '../kernel/random.ts'
import type { Transport } from '../services/sms/public.ts'

export interface Ports {
  readonly clock: ControlledClock
  readonly random: Random
  readonly log: Logger
  /** Writes a line where the log goes, as it is. */
  readonly writeLine?: (line: string) => void
  /** What carries short messages; the network inside the database when there is none. */
  readonly sms?: Transport
}

export function makePorts(config: Pick<Config, 'clock' | 'seed' | 'logLevel'>): Ports {
  const clock = new ControlledClock(makeClock(config.clock))
  return {
    clock,
    random: config.seed === undefined ? systemRandom : new SeededRandom(config.seed),
    log: makeLog(config.logLevel, clock),
    writeLine: (line) => standardError?.write(line),
  }
}

/** Lines of answered requests are written some at a time: a system call for each costs more than the line. */
const BUFFER_BYTES = 8 * 1024
const FLUSH_MS = 100

function makeLog(level: string, clock: ControlledClock): Logger {
  standardError ??= openStandardError()
  const destination = standardError
  return pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${clock.now().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      hooks: {
        // What went wrong is on record at once, with all that came before it.
        logMethod(args, method, number) {
          method.apply(this, args)
          if (number > INFO) destination.flushSync()
        },
      },
    },
    destination,
  )
}

/** One for the process, however many clouds a test starts in it. */
let standardError: ReturnType<typeof openStandardError> | undefined

function openStandardError() {
  const destination = pino.destination({
    ...{ fd: 2, sync: true, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS },
  })
  process.once('exit', () => destination.flushSync())
  return destination
}

/** pino's number of the level. */
const INFO = 30

function makeClock(setting: Config['clock']): RunningClock | FrozenClock {
  if (setting.mode === 'frozen') return new FrozenClock(setting.at ?? new RunningClock().now())
  return new RunningClock(setting.mode === 'scale' ? setting.scale : 1)
}
