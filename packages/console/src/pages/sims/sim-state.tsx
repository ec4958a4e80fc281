import { useQuery } from '../../data/query.ts'
import { formatBytes, formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Card, Facts } from '../../ui/page.tsx'
import type { SimDetail } from './sim.ts'
import { ActiveBadge, SessionBadge } from './sim-list.tsx'
import { simText } from './texts.ts'

export function SimState({ sim, tags }: { sim: SimDetail; tags: readonly string[] }) {
  return (
    <Card title={simText('overview')}>
      <Facts
        rows={[
          [simText('state'), <ActiveBadge key="state" sim={sim} />],
          [simText('session'), <SessionBadge key="session" status={sim.session_status} />],
          [simText('iccid'), <code key="iccid">{sim.iccid}</code>],
          ['ID', <code key="id">{sim.resource_id}</code>],
          [simText('imsi'), <code key="imsi">{sim.imsi.join(', ')}</code>],
          [simText('connectedImei'), <code key="imei">{sim.connected_imei ?? '–'}</code>],
          [simText('ip'), sim.ip ?? '–'],
          [simText('gateway'), <GatewayLink key="gateway" id={sim.simgroup_id} />],
          [simText('imeiLock'), sim.imei_lock ? sim.imei : simText('notLocked')],
          [simText('monthTraffic'), monthText(sim)],
          [simText('created'), formatTime(sim.registered_date)],
          [simText('activatedAt'), formatTime(sim.activated_date)],
          [simText('deactivatedAt'), formatTime(sim.deactivated_date)],
          [
            simText('tags'),
            <span key="tags" class="row">
              {tags.map((tag) => (
                <Badge key={tag} tone="calm">
                  {tag}
                </Badge>
              ))}
            </span>,
          ],
        ]}
      />
    </Card>
  )
}

/** By its name, as far as it is in the zone that is looked at. */
export function GatewayLink({ id }: { id: string | undefined }) {
  const name = useQuery(
    async (signal) => {
      const params = { appliance_id: id ?? '' }
      return (await cloud().orThrow.gatewayRead({ params }, { signal })).Appliance.Name
    },
    [id],
    { when: id !== undefined },
  )
  return id === undefined ? (
    <span>{simText('noGateway')}</span>
  ) : (
    <a href={`#/gateways/${id}`}>{name.data || id}</a>
  )
}

function monthText({ traffic_bytes_of_current_month: traffic }: SimDetail): string {
  if (!('uplink_bytes' in traffic)) return '–'
  return `↑ ${formatBytes(traffic.uplink_bytes)}  ↓ ${formatBytes(traffic.downlink_bytes)}`
}
