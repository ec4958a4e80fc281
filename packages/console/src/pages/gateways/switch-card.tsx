import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { gatewayReason } from './allowed.ts'
import type { GatewayPart } from './part.ts'
import { gatewayText } from './texts.ts'

/** The private network behind a gateway. */
export function SwitchCard({ gateway, onChange }: GatewayPart) {
  const params = { appliance_id: gateway.ID }
  const [chosen, setChosen] = useState('')
  const denied = useLevelReason('arrange')
  const making = useLevelReason('create')
  const switches = useQuery(
    async (signal) => (await cloud().orThrow.switchList({}, { signal })).Switches,
    [],
  )
  const own = Object(Object(gateway.Interfaces[1]).Switch)
  const state = { ...gateway, isConnected: own.ID !== undefined }
  const target = chosen || switches.data?.[0]?.ID || ''
  const act = useAction(
    async (what: 'connect' | 'disconnect' | 'make') => {
      if (what === 'make') {
        await cloud().orThrow.switchCreate({ body: { Switch: { Name: `${gateway.Name} lan` } } })
        return switches.reload()
      }
      if (what === 'disconnect') await cloud().orThrow.gatewaySwitchDisconnect({ params })
      else await cloud().orThrow.gatewaySwitchConnect({ params: { ...params, switch_id: target } })
      onChange()
    },
    (what) => gatewayText(`did_${what}`),
  )
  return (
    <Card title={gatewayText('switch')}>
      <p>{state.isConnected ? `${own.Name || ''} (${own.ID})` : gatewayText('noSwitch')}</p>
      {!state.isConnected && target !== '' && (
        <Select
          label={gatewayText('switch')}
          value={target}
          onChange={setChosen}
          options={(switches.data ?? []).map(({ ID = '', Name }) => [ID, Name || ID] as const)}
        />
      )}
      <div class="row">
        <Button
          isBusy={act.isBusy}
          reason={denied ?? gatewayReason('connect', state) ?? noneOf(target)}
          onClick={() => void act.run('connect')}
        >
          {gatewayText('connect')}
        </Button>
        <Button
          isBusy={act.isBusy}
          reason={denied ?? gatewayReason('disconnect', state)}
          onClick={() => void act.run('disconnect')}
        >
          {gatewayText('disconnect')}
        </Button>
        <Button
          kind="quiet"
          isBusy={act.isBusy}
          reason={making}
          onClick={() => void act.run('make')}
        >
          {gatewayText('newSwitch')}
        </Button>
      </div>
      {act.error !== undefined && <ErrorBox error={act.error} />}
    </Card>
  )
}

const noneOf = (target: string) => (target === '' ? gatewayText('noSwitches') : undefined)
