/** By what of the SIM's detail items can be searched: docs/sims.md, docs/performance.md. */
import type { SearchFields } from '../../storage/search.ts'
import { raw, sql } from '../../storage/sql.ts'

/** Asked of each item that the other conditions leave, by the key of its table. */
const ofSim = (column: string) => raw(`(SELECT ${column} FROM sim WHERE sim.id = item.id)`)

export const simSearchFields: SearchFields = {
  'Status.sim.activated': { column: ofSim('activated'), type: 'boolean', isLookup: true },
  'Status.sim.imei_lock': {
    column: ofSim('CASE WHEN imei IS NULL THEN 0 ELSE 1 END'),
    type: 'boolean',
    isLookup: true,
  },
  'Status.sim.session_status': {
    column: ofSim(`CASE WHEN EXISTS (SELECT 1 FROM session WHERE session.sim_id = sim.id)
                   THEN 'UP' ELSE 'DOWN' END`),
    type: 'text',
    exact: true,
    isLookup: true,
  },
  'Status.sim.simgroup_id': {
    column: ofSim('gateway_id'),
    type: 'text',
    exact: true,
    found: {
      column: raw('sim.gateway_id'),
      by: (condition) => sql`item.id IN (SELECT sim.id FROM sim WHERE ${condition})`,
    },
  },
}
