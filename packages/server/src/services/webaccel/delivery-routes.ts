import { AfterCommit } from '../../kernel/after-commit.ts'
import type { Handlers } from '../../kernel/contract.ts'
import { HOUR_MS } from '../../kernel/units.ts'
import type { Context } from '../context.ts'
import { SettingStore } from '../settings/public.ts'
import type { deliveryContract } from './delivery-contract.ts'
import { probeOf, TRAFFIC_HOURS } from './delivery-rules.ts'
import { hourToWire, probedToWire } from './delivery-wire.ts'
import { isLive } from './edge-rules.ts'
import { EdgeStore } from './edge-store.ts'
import { HourStore } from './hour-store.ts'
import type { WebaccelParts } from './parts.ts'
import { SiteStore } from './site-store.ts'

const NOTHING = { accessCount: 0, hitCount: 0, bytesSent: 0, cacheMissBytesSent: 0 }

export function deliveryHandlers({
  edges,
  machineNow,
}: WebaccelParts): Handlers<typeof deliveryContract, Context> {
  return {
    async siteTrafficRead({ params, query }, { tx, caller, now }) {
      const { id } = await new SiteStore(tx, caller.accountId).get(params.site_id)
      const days = await new SettingStore(tx).get('site_hour_days')
      // Fewer than were asked for, since an hour that is not kept any more would read as one without traffic.
      const hours = Math.min(query.Hours ?? TRAFFIC_HOURS, days * 24)
      const current = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
      const first = new Date(current - (hours - 1) * HOUR_MS)
      const delivered = new Map(
        (await new HourStore(tx).since(id, first)).map((hour) => [hour.hour.getTime(), hour]),
      )
      const all = Array.from({ length: hours }, (_, at) => {
        const time = first.getTime() + at * HOUR_MS
        return delivered.get(time) ?? { hour: new Date(time), ...NOTHING }
      })
      const known = await new EdgeStore(tx).list()
      const live = known.filter((edge) => isLive(edge, machineNow()))
      return { Traffic: { Edges: live.length, Hours: all.map(hourToWire) } }
    },

    async siteProbe({ params, body }, { tx, caller }) {
      const site = await new SiteStore(tx, caller.accountId).get(params.site_id)
      const version = await edges.probe(tx, site.id, probeOf(site, body.Probe))
      return new AfterCommit(async () => {
        const answers = await edges.answersTo(version)
        return { Probe: { URL: body.Probe.URL, Edges: answers.map(probedToWire) } }
      })
    },
  }
}
