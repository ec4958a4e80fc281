import type { Handlers } from '../../kernel/contract.ts'
import { BadRequest } from '../../kernel/errors.ts'
import { formatIpv4 } from '../../kernel/ipv4.ts'
import { compileSearch, type SearchFields } from '../../storage/search.ts'
import { raw } from '../../storage/sql.ts'
import type { OperatorContext } from '../context.ts'
import type { Devices } from './devices.ts'
import type { devicesContract } from './devices-contract.ts'
import { refusedToWire, sessionToWire } from './devices-wire.ts'
import { LogStore } from './log-store.ts'
import { SessionStore } from './session-store.ts'

const FIELDS: SearchFields = {
  iccid: { column: raw('iccid'), type: 'text' },
  resource_id: { column: raw('sim_id'), type: 'text' },
  imei: { column: raw('imei'), type: 'text' },
  carrier: { column: raw('carrier'), type: 'text' },
  since: { column: raw('started_at'), type: 'datetime' },
}

export function devicesHandlers(
  devices: Devices,
): Handlers<typeof devicesContract, OperatorContext> {
  return {
    async deviceAttach({ params, body }, { now }) {
      const names = await devices.carrierNames()
      if (!names.includes(body.carrier)) {
        const known = names.join(', ')
        throw new BadRequest(
          `carrier is not known; there are: ${known}`,
          `carrier は不明です。利用可能: ${known}`,
        )
      }
      const admission = await devices.attach(params.iccid, body, now)
      return admission.accepted
        ? { accepted: true, reason: null, ip: formatIpv4(admission.session.ip) }
        : { accepted: false, reason: admission.reason, ip: null }
    },

    async deviceDetach({ params }, { now }) {
      await devices.detach(params.iccid, now)
      return {}
    },

    async deviceTraffic({ params, body }, { now }) {
      const added = { uplinkBytes: body.uplink_bytes, downlinkBytes: body.downlink_bytes }
      await devices.addTraffic(params.iccid, added, now)
      return {}
    },

    deviceRefusals: ({ params }, { database }) =>
      database.read(async (tx) => ({
        refusals: (await new LogStore(tx).listRefusals(params.iccid)).map(refusedToWire),
      })),

    sessionList: ({ query }, { database }) =>
      database.read(async (tx) => {
        const compiled = compileSearch(query, FIELDS, raw('sim_id'))
        const found = await new SessionStore(tx).search(compiled, query.from, query.count)
        const sessions = found.sessions.map(sessionToWire)
        return { From: query.from, Count: sessions.length, Total: found.total, sessions }
      }),
  }
}
