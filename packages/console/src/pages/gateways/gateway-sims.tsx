import type { Element } from '@kumoi/client'
import { useMemo, useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { usePagedRows } from '../../data/paged-rows.ts'
import { formatBytes } from '../../format.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { LongTable } from '../../ui/long-table.tsx'
import { Card } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'
import { detailOf } from '../sims/sim.ts'
import { SessionBadge } from '../sims/sim-list.tsx'
import { simNames } from '../sims/sim-names.ts'
import { SimPicker } from '../sims/sim-picker.tsx'
import { simText } from '../sims/texts.ts'
import { gatewayText } from './texts.ts'

type Sim = Element<'gatewaySimList'> & { readonly name: string }

export function GatewaySims({ id }: { id: string }) {
  const params = { appliance_id: id }
  const [simId, setSimId] = useState('')
  const denied = useLevelReason('arrange')
  const rows = usePagedRows<Sim>(
    async (From, Count, signal) => {
      const search = { From, Count }
      const { sim, Total } = await cloud().orThrow.gatewaySimList({ params, search }, { signal })
      const ids = sim.map(({ resource_id = '' }) => resource_id)
      const names = await simNames(ids, signal)
      const rows = sim.map((one) => ({ ...one, name: names.get(one.resource_id ?? '') ?? '' }))
      return { total: Total, rows }
    },
    [id],
  )
  const add = useAction(async () => {
    const body = { sim: { resource_id: simId } }
    await cloud().orThrow.gatewaySimAdd({ params, body })
    setSimId('')
    rows.reload()
  }, gatewayText('simAdded'))
  const remove = useAction(async (sim_id: string) => {
    await cloud().orThrow.gatewaySimRemove({ params: { ...params, sim_id } })
    rows.reload()
  }, gatewayText('simRemoved'))
  const shown = useMemo(() => columns((sim) => void remove.run(sim), denied), [id, denied])
  return (
    <Card
      title={gatewayText('sims')}
      actions={<Button onClick={rows.reload}>{gatewayText('reload')}</Button>}
    >
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault()
          void add.run()
        }}
      >
        {/* Anew when the list changes: who is in it is not offered. */}
        <SimPicker
          key={rows.total}
          value={simId}
          onChange={setSimId}
          isOffered={(sim) => detailOf(sim).simgroup_id === undefined}
        />
        <Button
          type="submit"
          isBusy={add.isBusy}
          reason={denied ?? (simId === '' ? simText('noSimFound') : undefined)}
        >
          {gatewayText('addSim')}
        </Button>
      </form>
      {[add.error, remove.error].map(
        (error, at) => error !== undefined && <ErrorBox key={String(at)} error={error} />,
      )}
      <LongTable
        caption={gatewayText('sims')}
        rows={rows}
        columns={shown}
        empty={
          <EmptyState icon="sim" title={gatewayText('noSims')} hint={gatewayText('noSimsHint')} />
        }
      />
    </Card>
  )
}

function columns(onRemove: (id: string) => void, denied: string | undefined): Column<Sim>[] {
  return [
    {
      ...{ key: 'name', title: gatewayText('sim') },
      cell: ({ name, iccid, resource_id }) => <a href={`#/sims/${resource_id}`}>{name || iccid}</a>,
    },
    {
      key: 'iccid',
      title: 'ICCID',
      width: 'l',
      isMinor: true,
      cell: ({ iccid }) => <code>{iccid}</code>,
    },
    {
      ...{ key: 'session', title: gatewayText('session'), width: 's' },
      cell: ({ session_status }) => <SessionBadge status={session_status} />,
    },
    { key: 'ip', title: 'IP', isMinor: true, cell: ({ ip }) => ip ?? '–' },
    {
      ...{ key: 'month', title: gatewayText('month'), align: 'end', isMinor: true },
      cell: ({ traffic_bytes_of_current_month: traffic }) =>
        traffic !== undefined && 'uplink_bytes' in traffic
          ? formatBytes(traffic.uplink_bytes + traffic.downlink_bytes)
          : '–',
    },
    {
      ...{ key: 'remove', title: '', align: 'end' },
      cell: ({ name, iccid, resource_id = '' }) => (
        <Button
          kind="quiet"
          reason={denied}
          label={`${gatewayText('takeOut')}: ${name || iccid}`}
          onClick={() => onRemove(resource_id)}
        >
          {gatewayText('takeOut')}
        </Button>
      ),
    },
  ]
}
