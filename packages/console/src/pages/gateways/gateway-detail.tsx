import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { useLevelReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { navigate, setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Facts, Page } from '../../ui/page.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { gatewayReason } from './allowed.ts'
import { DnsCard } from './dns-card.tsx'
import { EditDialog } from './edit-dialog.tsx'
import { PowerBadge, publicAddressOf, StateBadge } from './gateway-list.tsx'
import { GatewayRoutes } from './gateway-routes.tsx'
import { GatewaySessions } from './gateway-sessions.tsx'
import { GatewaySettings } from './gateway-settings.tsx'
import { GatewaySims } from './gateway-sims.tsx'
import { GatewayTraffic } from './gateway-traffic.tsx'
import type { GatewayPart } from './part.ts'
import { SwitchCard } from './switch-card.tsx'
import { gatewayText } from './texts.ts'

export function GatewayPage({ params: { id = '' }, query }: PageInput) {
  const gateway = useQuery(
    async (signal) =>
      (await cloud().orThrow.gatewayRead({ params: { appliance_id: id } }, { signal })).Appliance,
    [id],
    { everyMs: 3000 },
  )
  const part = gateway.data && { gateway: gateway.data, onChange: gateway.reload }
  return (
    <Page
      title={gateway.data?.Name || id}
      note={<a href="#/gateways">{gatewayText('back')}</a>}
      actions={part && <Actions {...part} />}
    >
      <Loaded query={gateway}>
        {(data) => (
          <Tabs
            label={data.Name || id}
            current={query.tab}
            onChange={(tab) => setQuery({ tab })}
            tabs={tabsOf({ gateway: data, onChange: gateway.reload })}
          />
        )}
      </Loaded>
    </Page>
  )
}

function tabsOf(part: GatewayPart) {
  const { ID: id } = part.gateway
  return [
    { key: 'overview', title: gatewayText('overview'), body: () => <Overview {...part} /> },
    { key: 'settings', title: gatewayText('settings'), body: () => <GatewaySettings {...part} /> },
    { key: 'sims', title: gatewayText('sims'), body: () => <GatewaySims id={id} /> },
    { key: 'sessions', title: gatewayText('sessions'), body: () => <GatewaySessions id={id} /> },
    { key: 'routes', title: gatewayText('routes'), body: () => <GatewayRoutes id={id} /> },
    { key: 'dns', title: gatewayText('dns'), body: () => <DnsCard id={id} /> },
    { key: 'traffic', title: gatewayText('traffic'), body: () => <GatewayTraffic id={id} /> },
  ]
}

function Overview(part: GatewayPart) {
  const { gateway } = part
  return (
    <div class="cards">
      <Card title={gatewayText('overview')}>
        <Facts
          rows={[
            [gatewayText('state'), <StateBadge key="state" gateway={gateway} />],
            [gatewayText('power'), <PowerBadge key="power" gateway={gateway} />],
            ['ID', <code key="id">{gateway.ID}</code>],
            [gatewayText('address'), <code key="address">{publicAddressOf(gateway)}</code>],
            [gatewayText('created'), formatTime(gateway.CreatedAt)],
            [gatewayText('description'), gateway.Description || '–'],
            [gatewayText('tags'), gateway.Tags.join(', ') || '–'],
          ]}
        />
      </Card>
      <SwitchCard {...part} />
    </div>
  )
}

type Asked = 'edit' | 'powerOff' | 'remove' | undefined

function Actions({ gateway, onChange }: GatewayPart) {
  const params = { appliance_id: gateway.ID }
  const [asked, setAsked] = useState<Asked>()
  const close = () => setAsked(undefined)
  const power = useLevelReason('power')
  const arrange = useLevelReason('arrange')
  const deletion = useLevelReason('create')
  const act = useAction(
    async (name: 'gatewayPowerOn' | 'gatewayReset') => {
      await cloud().orThrow[name]({ params })
      onChange()
    },
    (name) => gatewayText(name === 'gatewayReset' ? 'restarted' : 'poweredOn'),
  )
  return (
    <>
      <Button
        isBusy={act.isBusy}
        reason={power ?? gatewayReason('powerOn', gateway)}
        onClick={() => void act.run('gatewayPowerOn')}
      >
        {gatewayText('powerOn')}
      </Button>
      <Button
        reason={power ?? gatewayReason('powerOff', gateway)}
        onClick={() => setAsked('powerOff')}
      >
        {gatewayText('powerOff')}
      </Button>
      <Button
        isBusy={act.isBusy}
        reason={power ?? gatewayReason('restart', gateway)}
        onClick={() => void act.run('gatewayReset')}
      >
        {gatewayText('restart')}
      </Button>
      <Button reason={arrange} onClick={() => setAsked('edit')}>
        {gatewayText('edit')}
      </Button>
      <Button kind="danger" reason={deletion} onClick={() => setAsked('remove')}>
        {gatewayText('remove')}
      </Button>
      {act.error !== undefined && <ErrorBox error={act.error} />}
      {asked === 'edit' && <EditDialog gateway={gateway} onClose={close} onDone={onChange} />}
      {(asked === 'powerOff' || asked === 'remove') && (
        <AskDialog what={asked} gateway={gateway} onChange={onChange} onClose={close} />
      )}
    </>
  )
}

function AskDialog(props: GatewayPart & { what: 'powerOff' | 'remove'; onClose: () => void }) {
  const { what, gateway, onChange, onClose } = props
  const params = { appliance_id: gateway.ID }
  const act = useAction(
    async () => {
      if (what === 'remove') {
        await cloud().orThrow.gatewayDelete({ params })
        return navigate('/gateways')
      }
      await cloud().orThrow.gatewayPowerOff({ params })
      onChange()
    },
    gatewayText(what === 'remove' ? 'removed' : 'poweredOff'),
  )
  return (
    <Confirm
      title={gatewayText(`${what}Title`, { name: gateway.Name })}
      submit={gatewayText(what)}
      action={act}
      onClose={onClose}
    >
      {what === 'remove'
        ? gatewayText('removeAsk', { name: gateway.Name })
        : gatewayText('powerOffAsk')}
    </Confirm>
  )
}
