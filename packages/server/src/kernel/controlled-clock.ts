/**
 * The clock that everybody holds, and whose mode can change while they hold it. It keeps the alarms
 * itself and hands them to the clock of the moment, so that they survive a change (docs/adr/0005-clock-port.md).
 */
import { type Alarm, type Clock, type Fired, FrozenClock, RunningClock } from './clock.ts'

export type ClockMode =
  | { readonly mode: 'real' }
  | { readonly mode: 'scaled'; readonly scale: number }
  | { readonly mode: 'frozen' }

export interface ClockChange {
  readonly to: ClockMode
  /** Not before now. */
  readonly start: Date | undefined
}

interface Entry {
  readonly when: Date
  readonly name: string
  readonly work: () => Promise<void>
  alarm: Alarm | undefined
}

export class ControlledClock implements Clock {
  #inner: RunningClock | FrozenClock
  readonly #entries = new Set<Entry>()
  #lastChange: Promise<unknown> = Promise.resolve()

  constructor(start: RunningClock | FrozenClock) {
    this.#inner = start
  }

  get mode(): ClockMode['mode'] {
    return this.#inner.mode
  }

  get scale(): number {
    return this.#inner.scale
  }

  now(): Date {
    return this.#inner.now()
  }

  at(when: Date, name: string, work: () => Promise<void>): Alarm {
    const entry: Entry = { when, name, work, alarm: undefined }
    this.#entries.add(entry)
    this.#arm(entry)
    return {
      cancel: () => {
        this.#entries.delete(entry)
        entry.alarm?.cancel()
      },
    }
  }

  /** What is waiting, in the order in which it will run. */
  pending(): Fired[] {
    return [...this.#entries]
      .map(({ name, when }) => ({ name, at: when }))
      .sort((a, b) => a.at.getTime() - b.at.getTime())
  }

  /** Runs all that falls due on the way, each at its own time; answers when all of it is done. */
  advanceTo(target: Date): Promise<Fired[]> {
    return this.advance(() => target)
  }

  /** The target is asked for when no other move is under way, so that two moves add up. */
  advance(target: () => Date): Promise<Fired[]> {
    return this.undisturbed(() => this.#advance(target()))
  }

  /** Another mode from now on, or from `start`; what falls due until then runs on the way. */
  change(decide: () => ClockChange): Promise<void> {
    return this.undisturbed(async () => {
      const { to, start } = decide()
      this.#become(new FrozenClock(this.now()))
      if (start !== undefined) await this.#advance(start)
      if (to.mode !== 'frozen') this.#become(running(to, this.now()))
    })
  }

  /** The only way back in time, to that of another world; a real clock stays where it is. */
  goBackTo(time: Date): void {
    if (this.mode === 'real') return
    this.#become(
      this.mode === 'frozen' ? new FrozenClock(time) : new RunningClock(this.scale, time),
    )
  }

  /** The clock is neither moved nor changed by others while this runs. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(() => work())
    this.#lastChange = result.catch(() => undefined)
    return result
  }

  async #advance(target: Date): Promise<Fired[]> {
    if (this.#inner instanceof FrozenClock) return this.#inner.advanceTo(target)
    const { mode, scale } = this.#inner
    const frozen = new FrozenClock(this.now())
    this.#become(frozen)
    const fired = await frozen.advanceTo(target)
    this.#become(running({ mode, scale }, this.now()))
    return fired
  }

  #become(clock: RunningClock | FrozenClock): void {
    for (const { alarm } of this.#entries) alarm?.cancel()
    this.#inner = clock
    for (const entry of this.#entries) this.#arm(entry)
  }

  #arm(entry: Entry): void {
    entry.alarm = this.#inner.at(entry.when, entry.name, async () => {
      this.#entries.delete(entry)
      await entry.work()
    })
  }
}

function running(to: Exclude<ClockMode, { mode: 'frozen' }>, from: Date): RunningClock {
  return to.mode === 'real' ? new RunningClock() : new RunningClock(to.scale, from)
}
