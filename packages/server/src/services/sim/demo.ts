/** The past of the demo world's SIMs: forty days of traffic, reconnections at night, and two that are refused. */
import { japanDayStart, parseDay } from '../../kernel/datetime.ts'
import { STEP_MS, stepOf } from '../../kernel/steps.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, secondsAfter } from '../../kernel/units.ts'
import type { Tx } from '../../storage/database.ts'
import { DEMO, type DemoPast, demoSince } from '../demo.ts'
import { Meter, type PastUse } from '../metering/public.ts'
import { simTrafficOf } from '../pricing/public.ts'
import type { Carriers } from './carriers.ts'
import { deviceOf } from './fleet-rules.ts'
import { FleetStore } from './fleet-store.ts'
import { type History, monthSums } from './history-rules.ts'
import { HistoryStore } from './history-store.ts'
import type { LogEntry } from './log-rules.ts'
import { LogStore } from './log-store.ts'
import type { Networks } from './networks.ts'
import type { Sim } from './rules.ts'
import type { Device, NetworkKey, Traffic } from './session-rules.ts'
import { listSims, SimStore } from './store.ts'
import { TrafficStore } from './traffic-store.ts'

export const HISTORY_DAYS = 40
/** Before the history begins nobody reads steps: one of an hour's twelve stands for all of them. */
const STRIDE = 12
/** Since when the locked and the barred SIM are without a session. */
const OUT_HOURS = 52
/** How many nights back the log goes. */
const NIGHTS = 3
/** Every sixth device is in the log: enough to read, and little to write. */
const LOGGED = 6

type Event = Omit<LogEntry, 'id'>

export function demoSims(networks: Networks, carriers: Carriers): DemoPast {
  return async (tx, now) => {
    const names = (await carriers.list(tx)).map(({ name }) => name)
    const pasts: { history: History; sums: ReadonlyMap<string, Traffic> }[] = []
    const uses: PastUse[] = []
    const events: Event[] = []
    const gateways = new Map<string, NetworkKey>()
    for (const sim of await listSims(tx)) {
      const device = deviceOf(DEMO.fleetSeed, sim.iccid, names)
      const { gatewayId } = sim
      const known = gatewayId === undefined ? undefined : gateways.get(gatewayId)
      const network = known ?? (await networks.of(tx, sim))
      if (network === undefined) continue
      if (network.kind === 'gateway') gateways.set(network.id, network)
      const history = historyOf(sim, network, now)
      const sums = monthSums(history)
      pasts.push({ history, sums })
      uses.push(...usesOf(sim, names.indexOf(device.carrier), [sums, earlierSums(history, now)]))
      await restrict(tx, sim, device, names)
      if (isLogged(sim.iccid)) events.push(...eventsOf(sim, device, history, now))
    }
    await new HistoryStore(tx).insert(pasts.map(({ history }) => history))
    await new TrafficStore(tx).insertMonths(pasts)
    await new Meter(tx).insertPast(uses)
    await logEvents(tx, events)
    await insertFleets(tx)
  }
}

/** Up to the running step, and with it: a device is driven from the first step that begins after it has attached. */
function historyOf({ id, iccid }: Sim, { kind, id: network }: NetworkKey, now: Date): History {
  const end = isOut(iccid) ? now.getTime() - OUT_HOURS * HOUR_MS : now.getTime()
  return {
    ...{ simId: id, iccid, seed: DEMO.fleetSeed, network: { kind, id: network } },
    span: {
      from: stepOf(new Date(now.getTime() - HISTORY_DAYS * DAY_MS)),
      to: Math.ceil(end / STEP_MS) * STEP_MS,
    },
  }
}

function isLogged(iccid: string): boolean {
  return isOut(iccid) || Number(iccid.slice(-4)) % LOGGED === 0
}

function isOut(iccid: string): boolean {
  return iccid === DEMO.lockedIccid || iccid === DEMO.barredIccid
}

/** What was sent from the demo world's beginning until its history begins: bills have it. */
function earlierSums(history: History, now: Date): ReadonlyMap<string, Traffic> {
  const span = { from: demoSince(now).getTime(), to: history.span.from }
  return monthSums({ ...history, span }, STRIDE)
}

function usesOf(
  { id, accountId }: Sim,
  carrier: number,
  sums: readonly ReadonlyMap<string, Traffic>[],
): PastUse[] {
  const product = simTrafficOf(carrier)
  return [
    ...Map.groupBy(
      sums.flatMap((some) => [...some]),
      ([month]) => month,
    ),
  ].map(([month, parts]) => ({
    use: { accountId, resourceId: id, product },
    month: parseDay(`${month.slice(0, 4)}-${month.slice(4)}-01`) ?? new Date(0),
    quantity: parts.reduce((sum, [, one]) => sum + one.uplinkBytes + one.downlinkBytes, 0),
  }))
}

/** Its device reconnects each night between three and four o'clock, as modems do that want a new address. */
function eventsOf(sim: Sim, { imei }: Device, { network, span }: History, now: Date): Event[] {
  const end = Math.min(span.to, secondsAfter(now, -20).getTime())
  const today = japanDayStart(now).getTime() + 3 * HOUR_MS
  const nights = Array.from({ length: NIGHTS }, (_, n) => today - (NIGHTS - 1 - n) * DAY_MS)
    .map((night) => night + (Number(sim.id) % 60) * MINUTE_MS)
    .filter((night) => night < end)
  const common = { simId: sim.id, networkId: network.id, imsi: sim.imsis[0] ?? '' }
  const created = (at: number): Event => ({ ...common, event: 'Created', imei, at: new Date(at) })
  const deleted = (at: number): Event => ({
    ...common,
    ...{ event: 'Deleted', imei: undefined, at: new Date(at) },
  })
  return nights.flatMap((night, n) => [
    created(night),
    deleted((nights[n + 1] ?? end + 20_000) - 20_000),
  ])
}

/** Logs are read in the order of their numbers. */
async function logEvents(tx: Tx, events: readonly Event[]): Promise<void> {
  const log = new LogStore(tx)
  for (const event of events.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    await log.insert({ ...event, id: await tx.next('session') })
  }
}

/** Their devices are refused by the same rules as any other, as soon as the fleet attaches. */
async function restrict(tx: Tx, sim: Sim, { carrier }: Device, names: readonly string[]) {
  const store = new SimStore(tx, sim.accountId)
  if (sim.iccid === DEMO.lockedIccid) await store.update({ ...sim, imei: DEMO.lockedImei })
  if (sim.iccid === DEMO.barredIccid) {
    await store.update({ ...sim, carriers: names.filter((name) => name !== carrier) })
  }
}

/** They come last, so that the first device to attach finds what it is refused by. */
async function insertFleets(tx: Tx): Promise<void> {
  const fleets = new FleetStore(tx)
  for (const [iccidFrom, iccidTo] of DEMO.fleets) {
    await fleets.put({ iccidFrom, iccidTo, seed: DEMO.fleetSeed, drivenAt: undefined })
  }
}
