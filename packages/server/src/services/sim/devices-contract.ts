/** The operator's hand on devices: ours, not the interface's. */
import { defineContract } from '../../kernel/contract.ts'
import { Type } from '../../kernel/type.ts'
import { IMEI_PATTERN } from './rules.ts'
import { REASONS } from './session-rules.ts'

const DevicePath = Type.Object({ iccid: Type.String({ pattern: '^[0-9]{1,22}$' }) })
/** A report of more than this is a mistake; sums stay far below what a number can hold. */
export const REPORT_BYTES_MAX = 2 ** 40
const Bytes = Type.Integer({ minimum: 0, maximum: REPORT_BYTES_MAX })

const refusal = {
  time: Type.String(),
  reason: Type.String(),
  imei: Type.String(),
  carrier: Type.String(),
  element: Type.Optional(Type.String()),
}

export const devicesContract = defineContract({
  deviceAttach: {
    method: 'POST',
    path: '/devices/{iccid}/attach',
    summary: 'Let a device with this card ask for a session',
    access: 'operator',
    params: DevicePath,
    body: Type.Object({ imei: Type.String({ pattern: IMEI_PATTERN }), carrier: Type.String() }),
    reply: Type.Object({
      accepted: Type.Boolean(),
      reason: Type.Union([Type.Enum([...REASONS]), Type.Null()]),
      ip: Type.Union([Type.String(), Type.Null()]),
    }),
    refuses: { bad_request: 'the IMEI is not 1 to 16 digits, or there is no such carrier' },
  },
  deviceDetach: {
    method: 'POST',
    path: '/devices/{iccid}/detach',
    summary: 'Let the device with this card end its session',
    access: 'operator',
    params: DevicePath,
    reply: Type.Object({}),
    refuses: { not_found: 'the card is not registered' },
  },
  deviceTraffic: {
    method: 'POST',
    path: '/devices/{iccid}/traffic',
    summary: 'Let the device with this card send and receive so many bytes more',
    access: 'operator',
    params: DevicePath,
    body: Type.Object({ uplink_bytes: Bytes, downlink_bytes: Bytes }),
    reply: Type.Object({}),
    refuses: {
      bad_request: 'a number of bytes is out of range',
      not_found: 'the card is not registered',
      conflict: 'the SIM has no session',
    },
  },
  deviceRefusals: {
    method: 'GET',
    path: '/devices/{iccid}/refusals',
    summary: 'Read why devices with this card were not let in, newest first',
    access: 'operator',
    params: DevicePath,
    reply: Type.Object({
      refusals: Type.Array(Type.Object(refusal)),
    }),
    refuses: {},
  },
  refusalList: {
    method: 'GET',
    path: '/refusals',
    summary: 'List why devices of all cards were not let in, newest first',
    access: 'operator',
    query: 'search',
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      refusals: Type.Array(Type.Object({ iccid: Type.String(), ...refusal })),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
  sessionList: {
    method: 'GET',
    path: '/sessions',
    summary: 'List the live sessions',
    access: 'operator',
    query: 'search',
    reply: Type.Object({
      From: Type.Integer(),
      Count: Type.Integer(),
      Total: Type.Integer(),
      sessions: Type.Array(
        Type.Object({
          iccid: Type.String(),
          resource_id: Type.String(),
          imei: Type.String(),
          carrier: Type.String(),
          ip: Type.String(),
          since: Type.String(),
          uplink_bytes: Type.Integer(),
          downlink_bytes: Type.Integer(),
          element: Type.Optional(Type.String()),
          acct_session_id: Type.Optional(Type.String()),
          seen_at: Type.Optional(Type.String()),
          bits_per_second: Type.Optional(Type.Integer()),
        }),
      ),
    }),
    refuses: { bad_request: 'the search object is broken or names an unknown field' },
  },
})
