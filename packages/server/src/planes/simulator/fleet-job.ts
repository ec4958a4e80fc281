/**
 * Drives the fleets of the world through the same engine as a real network element. What a device sends in a
 * five-minute step is a function of the step, and a session knows when its bytes were last counted. So a run makes
 * up for all steps since the last one, and one that is repeated adds nothing. A clock that runs has a run in every step,
 * for whoever reads meanwhile; one that is moved has few.
 */
import { japanDayStart, nextJapanMonthStart } from '../../kernel/datetime.ts'
import type { Job } from '../../kernel/job.ts'
import { STEP_MS, stepOf } from '../../kernel/steps.ts'
import { DAY_MS } from '../../kernel/units.ts'
import {
  type Devices,
  deviceOf,
  type Fleet,
  type Session,
  type Step,
  trafficSource,
} from '../../services/sim/public.ts'

/** A server that was off for longer than this does not make up for all of it. */
const CATCH_UP_STEPS = (31 * DAY_MS) / STEP_MS

export const FLEET_JOB = 'fleet'

/**
 * `devicesIn` gives the devices whose transactions the driver's store opens and counts, `movingTo` where the
 * clock is being moved to.
 */
export function fleetJob<Store>(
  devicesIn: (store: Store) => Devices,
  movingTo: () => Date | undefined,
): Job<Store> {
  return {
    name: FLEET_JOB,
    async nextDue(store) {
      const fleets = await devicesIn(store).fleets()
      const times = fleets.map(({ drivenAt }) =>
        drivenAt === undefined ? 0 : nextRun(drivenAt, movingTo()),
      )
      return times.length === 0 ? undefined : new Date(Math.min(...times))
    },
    async run(store, now) {
      const devices = devicesIn(store)
      let driven = 0
      for (const fleet of await devices.fleets()) {
        for (const iccid of await devices.fleetIccids(fleet)) {
          await driveDevice(devices, fleet, iccid, now)
          driven += 1
        }
        await devices.fleetDriven(fleet, now)
      }
      return `${driven} devices driven`
    },
  }
}

async function driveDevice(
  devices: Devices,
  fleet: Fleet,
  iccid: string,
  now: Date,
): Promise<void> {
  const session = await devices.findSession(iccid)
  if (session === undefined) {
    await devices.attach(iccid, deviceOf(fleet.seed, iccid, await devices.carrierNames()), now)
    return
  }
  await reportSteps(devices, fleet.seed, session, now)
}

/** Each step that is over and not yet counted. */
async function reportSteps(
  devices: Devices,
  seed: string,
  { iccid, id, countedAt }: Session,
  now: Date,
): Promise<void> {
  const end = stepOf(now)
  const uncounted = Math.ceil(countedAt.getTime() / STEP_MS) * STEP_MS
  const traffic = trafficSource(seed, iccid)
  const steps: Step[] = []
  for (let at = Math.max(uncounted, end - CATCH_UP_STEPS * STEP_MS); at < end; at += STEP_MS) {
    steps.push({ at, ...traffic(at) })
  }
  if (steps.length > 0) await devices.reportSteps(iccid, id, steps)
}

/**
 * While the clock is moved: before the last bills of a month and before the last bills on the way are made, and where
 * the move ends. Nobody reads in between.
 */
function nextRun(drivenAt: Date, movingTo: Date | undefined): number {
  const next = stepOf(drivenAt) + STEP_MS
  if (movingTo === undefined || movingTo.getTime() < next) return next
  const times = [
    nextJapanMonthStart(new Date(next)).getTime() - STEP_MS,
    japanDayStart(movingTo).getTime() - STEP_MS,
    stepOf(movingTo),
  ]
  return Math.min(...times.filter((time) => time >= next))
}
