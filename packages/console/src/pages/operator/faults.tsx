import type { Fault } from '@kumoi/client'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { FaultForm } from './fault-form.tsx'
import { operatorText } from './texts.ts'

export function Faults() {
  const faults = useQuery(
    async (signal) => (await cloud().orThrow.faultList({}, { signal })).faults,
    [],
    { everyMs: 2000 },
  )
  const disarm = useAction(async (id: string | undefined) => {
    if (id === undefined) await cloud().orThrow.faultClear()
    else await cloud().orThrow.faultDelete({ params: { id } })
    faults.reload()
  }, operatorText('faultsDisarmed'))
  const none = faults.data?.length === 0 ? operatorText('noFaults') : undefined
  return (
    <Page title={operatorText('faults')} note={operatorText('faultsNote')}>
      <FaultForm onDone={faults.reload} />
      <Card
        title={operatorText('armed')}
        actions={
          <Button isBusy={disarm.isBusy} reason={none} onClick={() => void disarm.run(undefined)}>
            {operatorText('disarmAll')}
          </Button>
        }
      >
        {disarm.error !== undefined && <ErrorBox error={disarm.error} />}
        <Loaded query={faults}>
          {(list) => <FaultTable list={list} onDisarm={(id) => void disarm.run(id)} />}
        </Loaded>
      </Card>
    </Page>
  )
}

function effectText(effect: Fault['effect']): string {
  if ('status' in effect) return operatorText('saysStatus', { status: effect.status })
  if ('latency_ms' in effect) return operatorText('saysLatency', { ms: effect.latency_ms })
  if ('reset' in effect) return operatorText('effectReset')
  return operatorText('saysTruncate', { bytes: effect.truncate_bytes })
}

interface FaultTableProps {
  readonly list: readonly Fault[]
  readonly onDisarm: (id: string) => void
}

function FaultTable({ list, onDisarm }: FaultTableProps) {
  return (
    <Table
      caption={operatorText('armed')}
      rows={list}
      keyOf={({ id }) => id}
      empty={operatorText('noFaults')}
      columns={[
        {
          ...{ key: 'operation', title: operatorText('operation') },
          cell: ({ operation }) => <code>{operation}</code>,
        },
        {
          ...{ key: 'effect', title: operatorText('effect') },
          cell: ({ effect }) => effectText(effect),
        },
        {
          ...{ key: 'phase', title: operatorText('phase') },
          cell: ({ phase }) => operatorText(phase ?? 'before'),
        },
        { key: 'account', title: operatorText('account'), cell: ({ account }) => account ?? '–' },
        {
          ...{ key: 'hits', title: operatorText('hits'), align: 'end' },
          cell: ({ hits, times }) => (times === undefined ? hits : `${hits} / ${times}`),
        },
        {
          ...{ key: 'disarm', title: '', align: 'end' },
          cell: ({ id, operation }) => (
            <Button
              kind="quiet"
              label={`${operatorText('disarm')}: ${operation}`}
              onClick={() => onDisarm(id)}
            >
              {operatorText('disarm')}
            </Button>
          ),
        },
      ]}
    />
  )
}
