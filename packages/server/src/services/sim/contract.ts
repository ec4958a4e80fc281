import { defineContract } from '../../kernel/contract.ts'
import { orNull, ResourceId } from '../../kernel/fields.ts'
import { Type } from '../../kernel/type.ts'
import { LOG_COUNT_DEFAULT } from './log-rules.ts'
import { IMEI_PATTERN } from './rules.ts'

const SimPath = Type.Object({ sim_id: ResourceId })
const Done = Type.Object({})

const TrafficBytes = Type.Object({
  uplink_bytes: Type.Integer(),
  downlink_bytes: Type.Integer(),
})

const Datetime = Type.Union([Type.String(), Type.Null()])

export const SimDetail = Type.Object({
  iccid: Type.String(),
  imsi: Type.Array(Type.String()),
  ip: Type.Optional(Type.String()),
  session_status: Type.String(),
  imei_lock: Type.Boolean(),
  imei: Type.Optional(Type.String()),
  registered: Type.Boolean(),
  activated: Type.Boolean(),
  resource_id: Type.String(),
  registered_date: Datetime,
  activated_date: Datetime,
  deactivated_date: Datetime,
  simgroup_id: Type.Optional(Type.String()),
  traffic_bytes_of_current_month: Type.Union([TrafficBytes, Type.Array(Type.Never())]),
  connected_imei: Type.Optional(Type.String()),
})

export const LogEntry = Type.Object({
  date: Type.String(),
  session_status: Type.String(),
  resource_id: Type.String(),
  imei: Type.Optional(Type.String()),
  imsi: Type.String(),
})

const noSim = { not_found: 'the id is not a SIM' } as const

const put = (verb: string, summary: string) =>
  ({
    method: 'PUT',
    path: `/commonserviceitem/{sim_id}/sim/${verb}`,
    summary,
    access: 'arrange',
    params: SimPath,
    reply: Done,
  }) as const

const metrics = (path: string) =>
  ({
    method: 'GET',
    path,
    summary: 'Read the traffic of a SIM in steps of five minutes',
    access: 'view',
    params: SimPath,
    query: Type.Object({ Start: orNull(Type.String()), End: orNull(Type.String()) }),
    reply: Type.Object({
      Data: Type.Record(
        Type.String(),
        Type.Object({ UplinkBps: Type.Number(), DownlinkBps: Type.Number() }),
      ),
    }),
    refuses: { ...noSim, bad_request: 'Start or End is no datetime, or they do not fit' },
  }) as const

export const simContract = defineContract({
  simStatus: {
    method: 'GET',
    path: '/commonserviceitem/{sim_id}/sim/status',
    summary: 'Read the state of a SIM',
    access: 'view',
    params: SimPath,
    reply: Type.Object({ sim: SimDetail }),
    refuses: noSim,
  },
  simActivate: {
    ...put('activate', 'Activate a registered SIM'),
    refuses: { ...noSim, conflict: 'already activated' },
  },
  simDeactivate: {
    ...put('deactivate', 'Deactivate a SIM; its session ends'),
    refuses: { ...noSim, conflict: 'not activated' },
  },
  simReconnect: {
    ...put('reconnect', 'Drop the session of a SIM and let the device come back'),
    refuses: noSim,
  },
  simCarriersRead: {
    method: 'GET',
    path: '/commonserviceitem/{sim_id}/sim/network_operator_config',
    summary: 'Read which carriers a SIM may use',
    access: 'view',
    params: SimPath,
    reply: Type.Object({
      network_operator_config: Type.Array(
        Type.Object({ name: Type.String(), country_code: Type.String(), allow: Type.Boolean() }),
      ),
    }),
    refuses: noSim,
  },
  simCarriersSet: {
    ...put('network_operator_config', 'Say which carriers a SIM may use'),
    body: Type.Object({
      network_operator_config: Type.Array(
        Type.Object({ name: Type.String(), allow: Type.Boolean() }),
        { maxItems: 100 },
      ),
    }),
    refuses: { ...noSim, bad_request: 'a name is not a carrier, or none would be allowed' },
  },
  simIpSet: {
    ...put('ip', 'Give a SIM that is in a gateway a fixed address'),
    // An id that belongs to no SIM is a conflict here, whatever its form.
    params: Type.Object({ sim_id: Type.String() }),
    body: Type.Object({ sim: Type.Object({ ip: Type.String() }) }),
    refuses: {
      bad_request: 'not an address, not a private one, or taken in the gateway',
      conflict: 'the SIM is not registered, or it has an address',
      not_found: 'the SIM is not in a gateway',
    },
  },
  simIpClear: {
    ...put('ip', 'Take the fixed address of a SIM away'),
    method: 'DELETE',
    refuses: noSim,
  },
  simImeiLock: {
    ...put('imeilock', 'Lock a SIM to one device'),
    body: Type.Object({ sim: Type.Object({ imei: Type.String({ pattern: IMEI_PATTERN }) }) }),
    refuses: { ...noSim, bad_request: 'the IMEI is not 1 to 16 digits; policy strict: 14 to 16' },
  },
  simImeiUnlock: {
    ...put('imeilock', 'Let a SIM work in any device'),
    method: 'DELETE',
    refuses: noSim,
  },
  simSessionLog: {
    method: 'GET',
    path: '/commonserviceitem/{sim_id}/sim/sessionlog',
    summary: 'Read when the sessions of a SIM began and ended, newest first',
    access: 'view',
    params: SimPath,
    query: 'search',
    defaultCount: LOG_COUNT_DEFAULT,
    reply: Type.Object({ logs: Type.Array(Type.Partial(LogEntry)), Count: Type.Integer() }),
    refuses: { ...noSim, bad_request: 'the search object is broken or names an unknown field' },
  },
  simMetrics: metrics('/commonserviceitem/{sim_id}/sim/metrics'),
  simMetricsMonitor: metrics('/commonserviceitem/{sim_id}/sim/metrics/monitor'),
})
