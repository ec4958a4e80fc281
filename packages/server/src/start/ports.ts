/** Makes the ports to the outside as the settings want them: time, randomness, the log, mail. */
import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { MailConfig } from '../config-mail.ts'
import { FrozenClock, pause, RunningClock } from '../kernel/clock.ts'
import { ControlledClock } from '../kernel/controlled-clock.ts'
import { StartError } from '../kernel/errors.ts'
import { type LogTarget, newLog } from '../kernel/log.ts'
import { SeededRandom, systemRandom } from '../kernel/random.ts'
import { isLoopback, parseSmtpAddress, type SmtpAddress } from '../kernel/smtp-address.ts'
import type { Ports } from '../parts.ts'
import { SmtpMailer } from '../planes/mail/smtp.ts'
import type { Mailer } from '../services/mail/public.ts'
import { reason } from './data-folder.ts'

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

export function makeMailer(config: MailConfig): Mailer {
  const address = 'file' in config.server ? readAddress(config.server.file) : config.server
  const isHere = isLoopback(address.host)
  const needsStartTls = config.tls === undefined ? !isHere : config.tls === 'required'
  if (!needsStartTls && !address.isSmtps && !isHere && address.login !== undefined) {
    throw new StartError('--smtp-tls off sends no password over a network; leave one of them out.')
  }
  const ca = config.caFile === undefined ? undefined : readCa(config.caFile)
  return new SmtpMailer({ address, from: config.from, needsStartTls, ca })
}

function readAddress(file: string): SmtpAddress {
  const address = parseSmtpAddress(readText(file).trim())
  if (address === undefined) {
    throw new StartError(
      `The file ${file} must hold an address such as smtps://user:password@mail.example.jp.`,
    )
  }
  return address
}

function readCa(file: string): string {
  const text = readText(file)
  try {
    new X509Certificate(text)
    return text
  } catch {
    throw new StartError(`The file ${file} must hold a certificate in PEM.`)
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new StartError(`The file ${file} cannot be read: ${reason(error)}.`)
  }
}

/** What a pipe takes in one piece (PIPE_BUF of Linux), so that lines of several processes stay whole. */
const MAX_WAITING = 4096
const LONGEST_WAIT_MS = 100

/** Where the log goes, some lines at a time: a system call for each costs more than the line. */
class StandardError implements LogTarget {
  #waiting = ''
  #isTimed = false

  write(text: string, atOnce: boolean): void {
    if (this.#waiting.length + text.length > MAX_WAITING) this.flush()
    this.#waiting += text
    if (atOnce) this.flush()
    else if (!this.#isTimed) {
      this.#isTimed = true
      void pause(LONGEST_WAIT_MS).then(() => {
        this.#isTimed = false
        this.flush()
      })
    }
  }

  /** Node writes to files, pipes and terminals before it returns, so that nothing is lost at the exit. */
  flush(): void {
    const text = this.#waiting
    this.#waiting = ''
    if (text !== '') process.stderr.write(text)
  }
}

/** One for the process, however many clouds a test starts in it. */
export const standardError = new StandardError()
process.once('exit', () => standardError.flush())
