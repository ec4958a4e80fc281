/**
 * The clock survives a restart: what was written may lie in the machine's future, and a clock that went back
 * would leave it there (docs/adr/0005-clock-port.md).
 */
import { RunningClock } from '../../kernel/clock.ts'
import type { ClockSetting, ClockState, ControlledClock } from '../../kernel/controlled-clock.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import { StartError } from '../../kernel/errors.ts'
import type { Database } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { ClockStore, type StoredClock } from './clock-store.ts'

export interface ClockStart {
  /** What `--clock` says, if it was given. */
  readonly setting: ClockSetting | undefined
  /** In operate mode and with several workers. */
  readonly mustBeReal: boolean
}

/** `clock` is what the setting alone gives. */
export async function startClock(
  database: Database,
  clock: ControlledClock,
  start: ClockStart,
): Promise<void> {
  const machine = new RunningClock()
  const { stored, isEmpty } = await database.read(async (tx) => ({
    stored: await new ClockStore(tx).find(),
    isEmpty: (await new AccountStore(tx).list()).length === 0,
  }))
  const stateNow = () =>
    stored === undefined ? clock.state : stateAtStart(clock.state, start, stored, isEmpty)
  await clock.startAs(stateNow, (next) => {
    // Not when the database gets to it: a clock that runs has gone on by then.
    const at = machine.now()
    return database.write((tx) => new ClockStore(tx).put(next, at))
  })
  const { setting } = start
  if (setting === undefined) return
  await database.write((tx) => new ClockStore(tx).putSetting(JSON.stringify(setting)))
}

/** The same `--clock` as before, or none, goes on with the stored clock; another one may not go back. */
function stateAtStart(
  wanted: ClockState,
  { setting, mustBeReal }: ClockStart,
  stored: StoredClock,
  isEmpty: boolean,
): ClockState {
  const state = stored.stateAt(new RunningClock().now())
  const isSame = setting === undefined || JSON.stringify(setting) === stored.setting
  if (isSame && !mustBeReal) return state
  // Without an account nothing is there that could lie in the future.
  if (isEmpty || state.now <= wanted.now) return wanted
  const namesTime = wanted.mode === 'real' || (setting?.mode === 'frozen' && setting.at)
  if (!namesTime) return { ...wanted, now: state.now }
  throw new StartError(
    `The clock of the data is at ${utcMicros(state.now)}, and ${flagOf(setting)} would go back to ` +
      `${utcMicros(wanted.now)}. Start without --clock to go on from there; to go back, empty the data of ` +
      'that server first, with kumoi reset empty.',
  )
}

function flagOf(setting: ClockSetting | undefined): string {
  if (setting?.mode === 'frozen') return '--clock frozen@…'
  return setting === undefined ? 'a real clock' : '--clock real'
}
