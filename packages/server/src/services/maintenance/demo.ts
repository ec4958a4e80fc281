/** A maintenance of the demo world that affects a gateway, whose id is known only when there is one. */
import { japanDayStart } from '../../kernel/datetime.ts'
import { DAY_MS, HOUR_MS } from '../../kernel/units.ts'
import { DEMO, type DemoPast } from '../demo.ts'
import { findSim } from '../sim/public.ts'
import { MaintenanceStore } from './store.ts'

const DAYS_AHEAD = 9

export const demoMaintenance: DemoPast = async (tx, now) => {
  const sim = await findSim(tx, { iccid: DEMO.vanIccid })
  if (sim?.gatewayId === undefined) throw new Error(`${DEMO.vanIccid} is in no gateway.`)
  const day = japanDayStart(now).getTime() + DAYS_AHEAD * DAY_MS
  await new MaintenanceStore(tx).insert({
    ...{ id: 'm-0001', zone: 'is1a', title: 'Host maintenance', service: 'IaaS' },
    startAt: new Date(day + HOUR_MS),
    endAt: new Date(day + 5 * HOUR_MS),
    infoUrl: 'https://status.example.jp/m-0001',
    affects: [{ accountId: sim.accountId, resourceClass: 'appliance', resourceId: sim.gatewayId }],
  })
}
