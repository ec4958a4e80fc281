/** Where the log goes: standard error, some lines at a time. A system call for each costs more than the line. */
import { pause } from '../kernel/clock.ts'
import type { LogTarget } from '../kernel/log.ts'

/** What a pipe takes in one piece (PIPE_BUF of Linux), so that lines of several processes stay whole. */
const MAX_WAITING = 4096
const LONGEST_WAIT_MS = 100

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
