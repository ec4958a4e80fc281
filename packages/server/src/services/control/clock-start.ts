/**
 * The clock survives a restart: what was written may lie in the machine's future, and a clock that went back
 * would leave it there (docs/adr/0005-clock-port.md).
 */
import type { ClockSetting, ClockState, ControlledClock } from '../../kernel/controlled-clock.ts'
import { utcMicros } from '../../kernel/datetime.ts'
import { StartError } from '../../kernel/errors.ts'
import type { Database } from '../../storage/database.ts'
import { AccountStore } from '../account/public.ts'
import { ClockStore } from './clock-store.ts'

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
  const { stored, isEmpty } = await database.read(async (tx) => ({
    stored: await new ClockStore(tx).find(),
    isEmpty: (await new AccountStore(tx).list()).length === 0,
  }))
  await clock.startAs(
    (machine) => {
      if (stored === undefined) return clock.state
      const before = stored.stateAt(machine)
      return stateAtStart(clock.state, start, { ...stored, before }, isEmpty)
    },
    (next, machine) => database.write((tx) => new ClockStore(tx).put(next, machine)),
  )
  const { setting } = start
  if (setting === undefined) return
  await database.write((tx) => new ClockStore(tx).putSetting(JSON.stringify(setting)))
}

/** The same `--clock` as before, or none, goes on with the stored clock; another one may not go back. */
function stateAtStart(
  wanted: ClockState,
  { setting, mustBeReal }: ClockStart,
  stored: { readonly setting: string | undefined; readonly before: ClockState },
  isEmpty: boolean,
): ClockState {
  const { before } = stored
  const isSame = setting === undefined || JSON.stringify(setting) === stored.setting
  if (isSame && !mustBeReal) return before
  // Without an account nothing is there that could lie in the future.
  if (isEmpty || before.now <= wanted.now) return wanted
  const namesTime = wanted.mode === 'real' || (setting?.mode === 'frozen' && setting.at)
  if (!namesTime) return { ...wanted, now: before.now }
  throw new StartError(
    `The clock of the data is at ${utcMicros(before.now)}, and ${flagOf(setting)} would go back to ` +
      `${utcMicros(wanted.now)}. Start without --clock to go on from there; to go back, empty the data of ` +
      'that server first, with kumoi reset empty.',
  )
}

function flagOf(setting: ClockSetting | undefined): string {
  if (setting?.mode === 'frozen') return '--clock frozen@…'
  return setting === undefined ? 'a real clock' : '--clock real'
}
