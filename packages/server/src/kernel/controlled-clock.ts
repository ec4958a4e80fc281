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

/** What `--clock` says. */
export type ClockSetting =
  | { readonly mode: 'real' }
  | { readonly mode: 'frozen'; readonly at: Date | undefined }
  | { readonly mode: 'scale'; readonly scale: number }

export interface ClockState {
  readonly mode: ClockMode['mode']
  readonly scale: number
  readonly now: Date
}

interface Entry {
  readonly when: Date
  readonly name: string
  readonly work: () => Promise<void>
  alarm: Alarm | undefined
}

/** `machine` is what the machine's clock shows at that moment: a clock that runs is known by both. */
export type KeepClock = (state: ClockState, machine: Date) => Promise<void>

export class ControlledClock implements Clock {
  #inner: RunningClock | FrozenClock
  readonly #entries = new Set<Entry>()
  #lastChange: Promise<unknown> = Promise.resolve()
  readonly #machine = new RunningClock()
  #keep: KeepClock = async () => undefined
  #movingTo: Date | undefined

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

  /** Where it will be when the move that is under way has ended: a job may do at once what is due until then. */
  get movingTo(): Date | undefined {
    return this.#movingTo
  }

  get state(): ClockState {
    return { mode: this.mode, scale: this.scale, now: this.now() }
  }

  /** For the start of the program. Every move and change is told to `keep` before it happens. */
  startAs(stateAt: (machine: Date) => ClockState, keep: KeepClock): Promise<void> {
    this.#keep = keep
    return this.undisturbed(async () => {
      const machine = this.#machine.now()
      const state = stateAt(machine)
      await keep(state, machine)
      // It has run since then: it would go back otherwise.
      this.#become(clockAt(state, machine))
    })
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
    return this.undisturbed(() => this.#moveTo(target(), this.state))
  }

  /** Another mode from now on, or from `start`; what falls due until then runs on the way. */
  change(decide: () => ClockChange): Promise<void> {
    return this.undisturbed(async () => {
      const { to, start = this.now() } = decide()
      const scale = to.mode === 'scaled' ? to.scale : Number(to.mode === 'real')
      await this.#moveTo(start, { mode: to.mode, scale, now: this.now() })
    })
  }

  /** The only way back in time, to that of another world; a real clock stays where it is. */
  goBackTo(now: Date): void {
    if (this.mode !== 'real') this.#become(clockAt({ ...this.state, now }))
  }

  /** The clock is neither moved nor changed by others while this runs. */
  undisturbed<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#lastChange.then(() => work())
    this.#lastChange = result.catch(() => undefined)
    return result
  }

  /**
   * The clock stands still on the way. Where it leads is kept first, so that after a crash nothing that was
   * written on the way lies in the future.
   */
  async #moveTo(target: Date, { mode, scale, now }: ClockState): Promise<Fired[]> {
    const isSame = mode === this.mode && scale === this.scale
    if (!isSame || target > now) await this.#keep({ mode, scale, now: target }, this.#machine.now())
    const frozen = this.#inner instanceof FrozenClock ? this.#inner : new FrozenClock(this.now())
    if (frozen !== this.#inner) this.#become(frozen)
    this.#movingTo = target
    const fired = await frozen.advanceTo(target)
    this.#movingTo = undefined
    if (mode === 'frozen') return fired
    const arrived = { mode, scale, now: this.now() }
    const machine = this.#machine.now()
    this.#become(clockAt(arrived, machine))
    // It has stood still meanwhile.
    if (mode === 'scaled') await this.#keep(arrived, machine)
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

function clockAt({ mode, scale, now }: ClockState, machine?: Date): RunningClock | FrozenClock {
  if (mode === 'frozen') return new FrozenClock(now)
  return mode === 'real' ? new RunningClock() : new RunningClock(scale, now, machine)
}
