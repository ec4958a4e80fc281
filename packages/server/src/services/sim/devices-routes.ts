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

const REFUSAL_FIELDS: SearchFields = {
  iccid: { column: raw('iccid'), type: 'text' },
  reason: { column: raw('reason'), type: 'text', exact: true },
  imei: { column: raw('imei'), type: 'text' },
  carrier: { column: raw('carrier'), type: 'text' },
  element: { column: raw('element'), type: 'text' },
  time: { column: raw('refused_at'), type: 'datetime' },
}

const FIELDS: SearchFields = {
  iccid: { column: raw('iccid'), type: 'text' },
  resource_id: { column: raw('sim_id'), type: 'text' },
  imei: { column: raw('imei'), type: 'text' },
  carrier: { column: raw('carrier'), type: 'text' },
  element: { column: raw('element'), type: 'text' },
  acct_session_id: { column: raw('acct_session_id'), type: 'text' },
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

    refusalList: ({ query }, { database }) =>
      database.read(async (tx) => {
        const { where, orderBy } = compileSearch(query, REFUSAL_FIELDS, raw('id'))
        const order = query.sort.length === 0 ? raw('id DESC') : orderBy
        const compiled = { where, orderBy: order }
        const found = await new LogStore(tx).searchRefusals(compiled, query.from, query.count)
        const refusals = found.refusals.map((one) => ({ iccid: one.iccid, ...refusedToWire(one) }))
        return { From: query.from, Count: refusals.length, Total: found.total, refusals }
      }),

    sessionList: ({ query }, { database }) =>
      database.read(async (tx) => {
        const compiled = compileSearch(query, FIELDS, raw('sim_id'))
        const found = await new SessionStore(tx).search(compiled, query.from, query.count)
        const sessions = found.sessions.map(sessionToWire)
        return { From: query.from, Count: sessions.length, Total: found.total, sessions }
      }),
  }
}
