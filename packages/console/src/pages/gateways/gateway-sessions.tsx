/** When devices of the gateway's SIMs came and went. */
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { EventBadge } from '../sims/event-badge.tsx'
import { simNames } from '../sims/sim-names.ts'
import { gatewayText } from './texts.ts'

const SHOWN = 200

export function GatewaySessions({ id }: { id: string }) {
  const log = useQuery(
    async (signal) => {
      const input = { params: { appliance_id: id }, search: { Count: SHOWN } }
      const { logs } = await cloud().orThrow.gatewaySessionLog(input, { signal })
      const ids = new Set(logs.map(({ resource_id = '' }) => resource_id))
      return { logs, names: await simNames([...ids], signal) }
    },
    [id],
    { everyMs: 5000 },
  )
  return (
    <Card title={gatewayText('sessions')}>
      <Loaded query={log}>
        {({ logs, names }) => (
          <Table
            caption={gatewayText('sessions')}
            isTall
            rows={logs.map((entry, at) => ({ ...entry, key: `${entry.date} ${at}` }))}
            keyOf={({ key }) => key}
            empty={gatewayText('noSessions')}
            columns={[
              { key: 'time', title: gatewayText('time'), cell: ({ date }) => formatTime(date) },
              {
                ...{ key: 'event', title: gatewayText('event') },
                cell: (entry) => <EventBadge entry={entry} />,
              },
              {
                ...{ key: 'sim', title: gatewayText('sim') },
                cell: ({ resource_id = '' }) => (
                  <a href={`#/sims/${resource_id}`}>{names.get(resource_id) || resource_id}</a>
                ),
              },
              { key: 'imei', title: 'IMEI', cell: ({ imei }) => <code>{imei ?? '–'}</code> },
              { key: 'imsi', title: 'IMSI', cell: ({ imsi }) => <code>{imsi}</code> },
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}
