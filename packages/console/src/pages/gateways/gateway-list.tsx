import type { Element } from '@kumoi/client'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { useLevelReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { CreateDialog } from './create-dialog.tsx'
import { gatewayText } from './texts.ts'

type Gateway = Element<'gatewayList'>

export function GatewayList({ query }: PageInput) {
  const denied = useLevelReason('create')
  const list = useQuery(
    async (signal) =>
      (await cloud().orThrow.gatewayList({ search: { Count: 500 } }, { signal })).Appliances,
    [],
    { everyMs: 5000 },
  )
  return (
    <Page
      title={gatewayText('title')}
      actions={
        <Button kind="primary" reason={denied} onClick={() => setQuery({ new: '1' })}>
          {gatewayText('create')}
        </Button>
      }
    >
      <Loaded query={list}>{(gateways) => <Gateways gateways={gateways} denied={denied} />}</Loaded>
      {query.new && (
        <CreateDialog onClose={() => setQuery({ new: undefined })} onDone={list.reload} />
      )}
    </Page>
  )
}

interface GatewaysProps {
  readonly gateways: readonly Gateway[]
  /** Why none can be created. */
  readonly denied: string | undefined
}

function Gateways({ gateways, denied }: GatewaysProps) {
  return (
    <Table
      caption={gatewayText('title')}
      rows={gateways}
      keyOf={({ ID = '' }) => ID}
      empty={
        <EmptyState icon="gateway" title={gatewayText('none')} hint={gatewayText('noneHint')}>
          <Button kind="primary" reason={denied} onClick={() => setQuery({ new: '1' })}>
            {gatewayText('create')}
          </Button>
        </EmptyState>
      }
      columns={[
        {
          ...{ key: 'name', title: gatewayText('name') },
          cell: ({ ID, Name }) => <a href={`#/gateways/${ID}`}>{Name || ID}</a>,
        },
        {
          ...{ key: 'state', title: gatewayText('state') },
          cell: (gateway) => <StateBadge gateway={gateway} />,
        },
        {
          ...{ key: 'power', title: gatewayText('power') },
          cell: (gateway) => <PowerBadge gateway={gateway} />,
        },
        {
          ...{ key: 'address', title: gatewayText('address') },
          cell: (gateway) => <code>{publicAddressOf(gateway)}</code>,
        },
        { key: 'tags', title: gatewayText('tags'), cell: ({ Tags }) => Tags?.join(', ') || '–' },
        {
          ...{ key: 'created', title: gatewayText('created') },
          cell: ({ CreatedAt }) => formatTime(CreatedAt),
        },
      ]}
    />
  )
}

type Shown = Pick<Gateway, 'Availability' | 'Instance' | 'Interfaces'>

export function publicAddressOf({ Interfaces }: Shown): string {
  return String(Object(Interfaces?.[0]).IPAddress ?? '–')
}

export function StateBadge({ gateway }: { gateway: Shown }) {
  return gateway.Availability === 'available' ? (
    <Badge tone="good">{gatewayText('available')}</Badge>
  ) : (
    <Badge tone="warn">{gatewayText('migrating')}</Badge>
  )
}

export function PowerBadge({ gateway }: { gateway: Shown }) {
  return gateway.Instance?.Status === 'up' ? (
    <Badge tone="good">{gatewayText('up')}</Badge>
  ) : (
    <Badge tone="calm">{gatewayText('down')}</Badge>
  )
}
