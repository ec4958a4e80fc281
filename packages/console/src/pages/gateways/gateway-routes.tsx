import type { Element } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { useLevelReason } from '../../key.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field } from '../../ui/field.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { simNames } from '../sims/sim-names.ts'
import { SimPicker } from '../sims/sim-picker.tsx'
import { simText } from '../sims/texts.ts'
import { gatewayText } from './texts.ts'

type Route = Pick<Element<'gatewayRouteList'>, 'resource_id' | 'prefix'>

/** The list is replaced as a whole, so each change sends all of it. */
export function GatewayRoutes({ id }: { id: string }) {
  const params = { appliance_id: id }
  const [simId, setSimId] = useState('')
  const [prefix, setPrefix] = useState('')
  const denied = useLevelReason('arrange')
  const routes = useQuery(
    async (signal) => {
      const { sim_routes } = await cloud().orThrow.gatewayRouteList({ params }, { signal })
      const names = await simNames([...new Set(sim_routes.map((one) => one.resource_id))], signal)
      return sim_routes.map((one) => ({ ...one, name: names.get(one.resource_id) ?? '' }))
    },
    [id],
  )
  const replace = useAction(async (wanted: readonly Route[]) => {
    const sim_routes = wanted.map((route) => ({
      ...{ resource_id: route.resource_id, prefix: route.prefix },
    }))
    await cloud().orThrow.gatewayRouteUpdate({ params, body: { sim_routes } })
    routes.reload()
  }, gatewayText('routesSaved'))
  return (
    <Card title={gatewayText('routes')}>
      <Loaded query={routes}>
        {(list) => (
          <>
            <form
              class="filters"
              onSubmit={(event) => {
                event.preventDefault()
                void replace.run([...list, { resource_id: simId, prefix: prefix.trim() }])
              }}
            >
              <SimPicker
                value={simId}
                onChange={setSimId}
                filter={{ 'Status.sim.simgroup_id': id }}
              />
              <Field
                label={gatewayText('prefix')}
                value={prefix}
                onInput={setPrefix}
                isMono
                placeholder="192.0.2.0/24"
              />
              <Button
                type="submit"
                isBusy={replace.isBusy}
                reason={denied ?? (simId === '' ? simText('noSimFound') : undefined)}
              >
                {gatewayText('addRoute')}
              </Button>
            </form>
            {replace.error !== undefined && <ErrorBox error={replace.error} />}
            <RouteTable list={list} onReplace={(wanted) => void replace.run(wanted)} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

interface RouteTableProps {
  readonly list: readonly (Element<'gatewayRouteList'> & { readonly name: string })[]
  readonly onReplace: (wanted: readonly Route[]) => void
}

function RouteTable({ list, onReplace }: RouteTableProps) {
  const denied = useLevelReason('arrange')
  return (
    <Table
      caption={gatewayText('routes')}
      rows={list}
      keyOf={(route) => `${route.prefix} ${route.resource_id}`}
      empty={gatewayText('noRoutes')}
      columns={[
        {
          key: 'prefix',
          title: gatewayText('prefix'),
          cell: (route) => <code>{route.prefix}</code>,
        },
        {
          ...{ key: 'sim', title: gatewayText('sim') },
          cell: ({ name, iccid, resource_id }) => (
            <a href={`#/sims/${resource_id}`}>{name || iccid}</a>
          ),
        },
        {
          ...{ key: 'remove', title: '', align: 'end' },
          cell: (route) => (
            <Button
              kind="quiet"
              reason={denied}
              label={`${gatewayText('removeRoute')}: ${route.prefix}`}
              onClick={() => onReplace(list.filter((other) => other !== route))}
            >
              {gatewayText('removeRoute')}
            </Button>
          ),
        },
      ]}
    />
  )
}
