/** What the network is told about a SIM: gateway, address, device and carriers. */
import { useLayoutEffect, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Check, Field, Select } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { simReason } from './allowed.ts'
import type { SimPart } from './sim.ts'
import { GatewayLink } from './sim-state.tsx'
import { simText } from './texts.ts'

export function SimNetwork(part: SimPart) {
  return (
    <div class="cards">
      <GatewayCard {...part} />
      <AddressCard {...part} />
      <LockCard {...part} />
      <CarriersCard {...part} />
    </div>
  )
}

function GatewayCard({ sim, onChange }: SimPart) {
  const denied = useLevelReason('arrange')
  const gateways = useQuery(
    async (signal) => (await cloud().orThrow.gatewayList({}, { signal })).Appliances,
    [],
  )
  const [chosen, setChosen] = useState('')
  const target = chosen || gateways.data?.[0]?.ID || ''
  const join = useAction(async () => {
    const body = { sim: { resource_id: sim.resource_id } }
    await cloud().orThrow.gatewaySimAdd({ params: { appliance_id: target }, body })
    onChange()
  }, simText('joined'))
  const leave = useAction(async () => {
    const params = { appliance_id: sim.simgroup_id ?? '', sim_id: sim.resource_id }
    await cloud().orThrow.gatewaySimRemove({ params })
    onChange()
  }, simText('wasTakenOut'))
  return (
    <Card title={simText('gateway')}>
      <p>
        <GatewayLink id={sim.simgroup_id} />
      </p>
      {sim.simgroup_id === undefined && (
        <Select
          label={simText('joinGateway')}
          value={target}
          onChange={setChosen}
          options={(gateways.data ?? []).map(({ ID = '', Name }) => [ID, Name || ID] as const)}
        />
      )}
      <div class="row">
        <Button
          isBusy={join.isBusy}
          reason={
            denied ??
            simReason('joinGateway', sim) ??
            (target === '' ? simText('noGateways') : undefined)
          }
          onClick={() => void join.run()}
        >
          {simText('joinGateway')}
        </Button>
        <Button
          isBusy={leave.isBusy}
          reason={denied ?? simReason('leaveGateway', sim)}
          onClick={() => void leave.run()}
        >
          {simText('leaveGateway')}
        </Button>
      </div>
      <Errors of={[gateways.error, join.error, leave.error]} />
    </Card>
  )
}

function AddressCard({ sim, onChange }: SimPart) {
  const denied = useLevelReason('arrange')
  const params = { sim_id: sim.resource_id }
  const [ip, setIp] = useState('')
  const set = useAction(async () => {
    await cloud().orThrow.simIpSet({ params, body: { sim: { ip: ip.trim() } } })
    onChange()
  }, simText('ipSet'))
  const clear = useAction(async () => {
    await cloud().orThrow.simIpClear({ params })
    onChange()
  }, simText('ipCleared'))
  return (
    <Card title={simText('ip')}>
      <p>{sim.ip ?? '–'}</p>
      <Field
        label={simText('newIp')}
        value={ip}
        onInput={setIp}
        isMono
        placeholder="192.168.2.10"
      />
      <div class="row">
        <Button
          isBusy={set.isBusy}
          reason={denied ?? simReason('setIp', sim)}
          onClick={() => void set.run()}
        >
          {simText('setIp')}
        </Button>
        <Button
          isBusy={clear.isBusy}
          reason={denied ?? simReason('clearIp', sim)}
          onClick={() => void clear.run()}
        >
          {simText('clearIp')}
        </Button>
      </div>
      <Errors of={[set.error, clear.error]} />
    </Card>
  )
}

function LockCard({ sim, onChange }: SimPart) {
  const denied = useLevelReason('arrange')
  const params = { sim_id: sim.resource_id }
  const [imei, setImei] = useState(sim.imei ?? sim.connected_imei ?? '')
  const lock = useAction(async () => {
    await cloud().orThrow.simImeiLock({ params, body: { sim: { imei: imei.trim() } } })
    onChange()
  }, simText('locked'))
  const unlock = useAction(async () => {
    await cloud().orThrow.simImeiUnlock({ params })
    onChange()
  }, simText('unlocked'))
  return (
    <Card title={simText('imeiLock')}>
      <p>{sim.imei_lock ? <code>{sim.imei}</code> : simText('notLocked')}</p>
      <Field label={simText('imei')} value={imei} onInput={setImei} isMono />
      <div class="row">
        <Button isBusy={lock.isBusy} reason={denied} onClick={() => void lock.run()}>
          {simText('lock')}
        </Button>
        <Button
          isBusy={unlock.isBusy}
          reason={denied ?? simReason('unlock', sim)}
          onClick={() => void unlock.run()}
        >
          {simText('unlock')}
        </Button>
      </div>
      <Errors of={[lock.error, unlock.error]} />
    </Card>
  )
}

function CarriersCard({ sim, onChange }: SimPart) {
  const denied = useLevelReason('arrange')
  const params = { sim_id: sim.resource_id }
  const carriers = useQuery(
    async (signal) =>
      (await cloud().orThrow.simCarriersRead({ params }, { signal })).network_operator_config,
    [sim.resource_id],
  )
  const [allowed, setAllowed] = useState<ReadonlySet<string>>(new Set())
  const stored = carriers.data?.filter(({ allow }) => allow).map(({ name }) => name) ?? []
  useLayoutEffect(() => setAllowed(new Set(stored)), [carriers.data])
  const save = useAction(async () => {
    const network_operator_config = [...allowed].map((name) => ({ name, allow: true }))
    await cloud().orThrow.simCarriersSet({ params, body: { network_operator_config } })
    carriers.reload()
    onChange()
  }, simText('carriersSaved'))
  const isSame = stored.length === allowed.size && stored.every((name) => allowed.has(name))
  const problem =
    allowed.size === 0 ? simText('carrierNeeded') : isSame ? simText('unchanged') : undefined
  const flip = (name: string, isOn: boolean) => {
    const others = [...allowed].filter((one) => one !== name)
    setAllowed(new Set(isOn ? [...others, name] : others))
  }
  return (
    <Card title={simText('carriers')}>
      <Loaded query={carriers}>
        {(list) => (
          <>
            {list.map(({ name, country_code }) => (
              <Check
                key={name}
                label={`${name} (${country_code})`}
                isChecked={allowed.has(name)}
                onChange={(isOn) => flip(name, isOn)}
              />
            ))}
            <p class="note">{simText('carriersHint')}</p>
            <div class="row">
              <Button
                isBusy={save.isBusy}
                reason={denied ?? problem}
                onClick={() => void save.run()}
              >
                {simText('save')}
              </Button>
            </div>
          </>
        )}
      </Loaded>
      <Errors of={[save.error]} />
    </Card>
  )
}

function Errors({ of }: { of: readonly unknown[] }) {
  return (
    <>{of.map((error, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />)}</>
  )
}
