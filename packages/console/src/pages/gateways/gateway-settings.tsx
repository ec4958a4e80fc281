/** Settings are stored first and applied after: what differs between the two is shown until then. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Check, Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import type { GatewayPart } from './part.ts'
import {
  type Difference,
  differencesOf,
  fromForm,
  type SettingsForm,
  toForm,
  type WireSettings,
} from './settings.ts'
import { gatewayText } from './texts.ts'

/** The interface describes them loosely; what it stores has this form. */
const settingsOf = (value: unknown) => value as WireSettings

export function GatewaySettings({ gateway, onChange }: GatewayPart) {
  const params = { appliance_id: gateway.ID }
  const applied = useQuery(
    (signal) => cloud().orThrow.gatewayAppliedRead({ params }, { signal }),
    [gateway.ID, gateway.SettingsHash],
  )
  const apply = useAction(async () => {
    await cloud().orThrow.gatewayConfigure({ params })
    applied.reload()
  }, gatewayText('settingsApplied'))
  return (
    <>
      <Loaded query={applied}>
        {(answer) => (
          <Differences
            list={differencesOf(settingsOf(gateway.Settings), settingsOf(answer.Settings))}
            isBusy={apply.isBusy}
            onApply={() => void apply.run()}
          />
        )}
      </Loaded>
      {apply.error !== undefined && <ErrorBox error={apply.error} />}
      <StoreForm gateway={gateway} onChange={onChange} />
    </>
  )
}

interface DifferencesProps {
  readonly list: readonly Difference[]
  readonly isBusy: boolean
  readonly onApply: () => void
}

function Differences({ list, isBusy, onApply }: DifferencesProps) {
  const denied = useLevelReason('arrange')
  const count = list.filter(({ stored, applied }) => stored !== applied).length
  return (
    <Card
      title={gatewayText('difference')}
      actions={
        <Button
          kind="primary"
          isBusy={isBusy}
          reason={denied ?? (count === 0 ? gatewayText('nothingToApply') : undefined)}
          onClick={onApply}
        >
          {gatewayText('apply')}
        </Button>
      }
    >
      <p role="status">{count === 0 ? gatewayText('same') : gatewayText('differs', { count })}</p>
      <Table
        caption={gatewayText('difference')}
        rows={list}
        keyOf={({ name }) => name}
        columns={[
          { key: 'name', title: gatewayText('setting'), cell: ({ name }) => gatewayText(name) },
          {
            ...{ key: 'stored', title: gatewayText('stored') },
            cell: (one) => <span class={isOther(one) ? 'diff-new' : undefined}>{one.stored}</span>,
          },
          {
            ...{ key: 'applied', title: gatewayText('applied') },
            cell: (one) => <span class={isOther(one) ? 'diff-old' : undefined}>{one.applied}</span>,
          },
        ]}
      />
    </Card>
  )
}

const isOther = ({ stored, applied }: Difference) => stored !== applied

function StoreForm({ gateway, onChange }: GatewayPart) {
  const denied = useLevelReason('arrange')
  const [form, setForm] = useState<SettingsForm>(() => toForm(settingsOf(gateway.Settings)))
  // What another has stored replaces what was typed; storing over it would be refused anyway.
  useLayoutEffect(() => setForm(toForm(settingsOf(gateway.Settings))), [gateway.SettingsHash])
  const set = (changes: Partial<SettingsForm>) => setForm({ ...form, ...changes })
  const params = { appliance_id: gateway.ID }
  const store = useAction(async () => {
    const { SettingsHash } = gateway
    const Settings = { MobileGateway: fromForm(form) }
    await cloud().orThrow.gatewayUpdate({ params, body: { Appliance: { Settings, SettingsHash } } })
    onChange()
  }, gatewayText('settingsStored'))
  return (
    <Card title={gatewayText('change')}>
      <Check
        label={gatewayText('internet')}
        isChecked={form.internet}
        onChange={(internet) => set({ internet })}
      />
      <Check
        label={gatewayText('devices')}
        isChecked={form.devices}
        onChange={(devices) => set({ devices })}
      />
      <div class="fields">
        <Field
          label={gatewayText('privateAddresses')}
          hint={gatewayText('privateHint')}
          value={form.addresses}
          onInput={(addresses) => set({ addresses })}
          isMono
        />
        <Field
          label={gatewayText('maskLength')}
          type="number"
          value={form.maskLength}
          onInput={(maskLength) => set({ maskLength })}
        />
      </div>
      <Field
        label={gatewayText('staticRoutes')}
        hint={gatewayText('staticHint')}
        rows={4}
        value={form.routes}
        onInput={(routes) => set({ routes })}
        isMono
      />
      {store.error !== undefined && <ErrorBox error={store.error} />}
      <div class="row">
        <Button isBusy={store.isBusy} reason={denied} onClick={() => void store.run()}>
          {gatewayText('store')}
        </Button>
      </div>
    </Card>
  )
}
