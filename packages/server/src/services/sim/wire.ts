import { japanTime, utcMicros, utcOffset } from '../../kernel/datetime.ts'
import { formatIpv4 } from '../../kernel/ipv4.ts'
import { type SearchQuery, selectFields } from '../../kernel/search-query.ts'
import { bitsPerSecond } from '../../kernel/steps.ts'
import type { Carrier } from './carrier-rules.ts'
import type { LogEntry } from './log-rules.ts'
import type { Sim } from './rules.ts'
import type { Session, Traffic } from './session-rules.ts'
import type { Step } from './traffic-rules.ts'

/** What is not set is absent; dates are null. In the list form the traffic is an empty array. */
export function simToWire(
  sim: Sim,
  session: Session | undefined,
  monthTraffic: Traffic | undefined,
) {
  return {
    iccid: sim.iccid,
    imsi: [...sim.imsis],
    ...(sim.ip === undefined ? {} : { ip: formatIpv4(sim.ip) }),
    session_status: session === undefined ? 'DOWN' : 'UP',
    imei_lock: sim.imei !== undefined,
    ...(sim.imei === undefined ? {} : { imei: sim.imei }),
    registered: true,
    activated: sim.activated,
    resource_id: sim.id,
    registered_date: utcOffset(sim.registeredAt),
    activated_date: dateToWire(sim.activatedAt),
    deactivated_date: dateToWire(sim.deactivatedAt),
    ...(sim.gatewayId === undefined ? {} : { simgroup_id: sim.gatewayId }),
    traffic_bytes_of_current_month: monthTraffic === undefined ? [] : trafficToWire(monthTraffic),
    ...(session === undefined ? {} : { connected_imei: session.imei }),
  }
}

export function trafficToWire({ uplinkBytes, downlinkBytes }: Traffic) {
  return { uplink_bytes: uplinkBytes, downlink_bytes: downlinkBytes }
}

/** The members that the query asks for. */
export function logsToWire(entries: readonly LogEntry[], { include, exclude }: SearchQuery) {
  return entries.map((entry) => selectFields(logEntryToWire(entry), include, exclude))
}

function logEntryToWire({ at, event, simId, imei, imsi }: LogEntry) {
  return {
    date: utcMicros(at),
    session_status: event,
    resource_id: simId,
    ...(imei === undefined ? {} : { imei }),
    imsi,
  }
}

export function carriersToWire(sim: Sim, carriers: readonly Carrier[]) {
  return carriers.map(({ name, countryCode }) => ({
    name,
    country_code: countryCode,
    allow: sim.carriers?.includes(name) ?? true,
  }))
}

/** Bits a second over each step, by the time at which it begins. */
export function stepsToWire(steps: readonly Step[]) {
  return Object.fromEntries(
    steps.map(({ at, uplinkBytes, downlinkBytes }) => [
      japanTime(new Date(at)),
      { UplinkBps: bitsPerSecond(uplinkBytes), DownlinkBps: bitsPerSecond(downlinkBytes) },
    ]),
  )
}

function dateToWire(date: Date | undefined): string | null {
  return date === undefined ? null : utcOffset(date)
}
