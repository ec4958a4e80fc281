import { utcOffset } from '../../kernel/datetime.ts'
import { formatIpv4 } from '../../kernel/ipv4.ts'
import type { LogEntry } from './log-rules.ts'
import type { Sim } from './rules.ts'
import type { Session, Traffic } from './session-rules.ts'

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

export function logEntryToWire({ at, event, simId, imei, imsi }: LogEntry) {
  return {
    date: utcOffset(at),
    session_status: event,
    resource_id: simId,
    ...(imei === undefined ? {} : { imei }),
    imsi,
  }
}

function dateToWire(date: Date | undefined): string | null {
  return date === undefined ? null : utcOffset(date)
}
