/**
 * The only place that reads the time or sets a timer. Everything else asks a Clock, so that a
 * virtual clock moves every delay, expiry, job and window of the server, in order.
 */

export interface Alarm {
  cancel(): void
}

export interface Clock {
  readonly mode: 'real' | 'scaled' | 'frozen'
  readonly scale: number
  now(): Date
  /** Runs once, at that time or as soon after it as possible. The work must not reject. */
  at(when: Date, name: string, work: () => Promise<void>): Alarm
}

/** setTimeout counts milliseconds in 31 bits; a longer wait is cut into pieces. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** The machine's clock, or one that runs `scale` times as fast from `start`, which it shows at `origin` of the machine's. */
export class RunningClock implements Clock {
  readonly mode: 'real' | 'scaled'
  readonly scale: number
  readonly #origin: number
  readonly #start: number

  constructor(scale = 1, start?: Date, origin = new Date()) {
    this.mode = scale === 1 && start === undefined ? 'real' : 'scaled'
    this.scale = scale
    this.#origin = origin.getTime()
    this.#start = start?.getTime() ?? this.#origin
  }

  now(): Date {
    const real = Date.now()
    if (this.mode === 'real') return new Date(real)
    return new Date(this.#start + (real - this.#origin) * this.scale)
  }

  at(when: Date, _name: string, work: () => Promise<void>): Alarm {
    let timer: NodeJS.Timeout
    const wait = () => {
      const rest = Math.max(0, Math.ceil((when.getTime() - this.now().getTime()) / this.scale))
      // A longer one would count as 1 ms, and the pieces would follow each other without a pause.
      const piece = Math.min(rest, LONGEST_TIMEOUT_MS)
      timer = setTimeout(piece < rest ? wait : () => void work(), piece)
      // Waiting alone is no reason to keep a process alive; the listening socket is.
      timer.unref()
    }
    wait()
    return { cancel: () => clearTimeout(timer) }
  }
}

interface PendingAlarm {
  readonly when: number
  readonly order: number
  readonly name: string
  readonly work: () => Promise<void>
}

export interface Fired {
  readonly name: string
  readonly at: Date
}

/** Stands still until it is moved; then everything that falls due runs at its own time. */
export class FrozenClock implements Clock {
  readonly mode = 'frozen'
  readonly scale = 0
  #now: number
  #order = 0
  #pending: PendingAlarm[] = []
  #lastMove: Promise<unknown> = Promise.resolve()

  constructor(start: Date) {
    this.#now = start.getTime()
  }

  now(): Date {
    return new Date(this.#now)
  }

  at(when: Date, name: string, work: () => Promise<void>): Alarm {
    this.#order += 1
    const alarm = { when: when.getTime(), order: this.#order, name, work }
    this.#pending.push(alarm)
    if (alarm.when <= this.#now) {
      // Already due: runs without the clock being moved, but after the caller is done.
      setImmediate(() => void this.advanceTo(this.now()))
    }
    return {
      cancel: () => {
        this.#pending = this.#pending.filter((other) => other !== alarm)
      },
    }
  }

  /** What is waiting, in the order in which it will run. */
  pending(): Fired[] {
    return [...this.#pending].sort(byTime).map(({ name, when }) => ({ name, at: new Date(when) }))
  }

  /** Moves to `target`, running all that falls due on the way; answers when all of it is done. */
  advanceTo(target: Date): Promise<Fired[]> {
    const move = this.#lastMove.then(() => this.#move(target.getTime()))
    this.#lastMove = move
    return move
  }

  async #move(target: number): Promise<Fired[]> {
    const fired: Fired[] = []
    for (;;) {
      const next = this.#pending.filter(({ when }) => when <= target).sort(byTime)[0]
      if (next === undefined) break
      this.#pending = this.#pending.filter((other) => other !== next)
      this.#now = Math.max(this.#now, next.when)
      await next.work()
      fired.push({ name: next.name, at: this.now() })
    }
    this.#now = Math.max(this.#now, target)
    return fired
  }
}

function byTime(a: PendingAlarm, b: PendingAlarm): number {
  return a.when - b.when || a.order - b.order
}

/**
 * Real waiting, for another process or a socket and never for the world's time: a virtual clock
 * does not move what happens outside of it.
 */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** Others have their chance: for work that comes in many small steps without waiting for anything. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve)
  })
}

/** Once in real time, for patience with another process or a socket. */
export function after(milliseconds: number, work: () => void): Alarm {
  const timer = setTimeout(work, milliseconds)
  return { cancel: () => clearTimeout(timer) }
}

/** Again and again in real time, as long as the process has something else to do. */
export function every(milliseconds: number, work: () => void): Alarm {
  const timer = setInterval(work, milliseconds).unref()
  return { cancel: () => clearInterval(timer) }
}

/** A point in real time to measure durations from, in milliseconds. */
export function stopwatch(): () => number {
  const start = performance.now()
  return () => performance.now() - start
}
