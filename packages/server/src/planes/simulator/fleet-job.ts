/**
 * Drives the fleets of the world, one five-minute step after another, through the same engine as a
 * real network element. A session knows when its bytes were last counted, so a run that comes late
 * makes up for the steps that it missed, and one that is repeated adds nothing.
 */
import type { Job } from '../../kernel/job.ts'
import { STEP_MS } from '../../kernel/steps.ts'
import type { Devices, Fleet, Session } from '../../services/sim/public.ts'
import { deviceOf, trafficOf } from './behaviour.ts'

/** A server that was off for longer than this does not make up for all of it. */
const CATCH_UP_STEPS = 288

export const FLEET_JOB = 'fleet'

/** `devicesIn` gives the devices whose transactions the driver's store opens and counts. */
export function fleetJob<Store>(devicesIn: (store: Store) => Devices): Job<Store> {
  return {
    name: FLEET_JOB,
    async nextDue(store) {
      const fleets = await devicesIn(store).fleets()
      const times = fleets.map(({ drivenAt }) =>
        drivenAt === undefined ? 0 : stepOf(drivenAt) + STEP_MS,
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

/** Each step that is over and not yet counted, at its own time. */
async function reportSteps(
  devices: Devices,
  seed: string,
  session: Session,
  now: Date,
): Promise<void> {
  const end = stepOf(now)
  const uncounted = Math.ceil(session.countedAt.getTime() / STEP_MS) * STEP_MS
  const start = Math.max(uncounted, end - CATCH_UP_STEPS * STEP_MS)
  let { uplinkBytes, downlinkBytes } = session
  for (let step = start; step < end; step += STEP_MS) {
    const traffic = trafficOf(seed, session.iccid, step)
    uplinkBytes += traffic.uplinkBytes
    downlinkBytes += traffic.downlinkBytes
    // The last moment of the step, so that it is counted there and the next one comes after.
    const at = new Date(step + STEP_MS - 1)
    await devices.report(session.iccid, session.id, { uplinkBytes, downlinkBytes }, at)
  }
}

function stepOf(time: Date): number {
  return Math.floor(time.getTime() / STEP_MS) * STEP_MS
}
