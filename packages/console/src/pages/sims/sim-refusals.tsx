import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { cloud, hasOperator, session } from '../../session.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { reasonFor, remedyFor } from './remedies.ts'
import { simText } from './texts.ts'

export function SimRefusals({ iccid }: { iccid: string }) {
  const isOperator = hasOperator(session.value)
  const refusals = useQuery(
    async (signal) =>
      (await cloud().orThrow.deviceRefusals({ params: { iccid } }, { signal })).refusals,
    [iccid],
    { everyMs: 5000, when: isOperator },
  )
  if (!isOperator) return <EmptyState title={simText('refusalsNeedOperator')} />
  return (
    <Card title={simText('refused')}>
      <Loaded query={refusals}>
        {(list) => (
          <Table
            caption={simText('refused')}
            rows={list}
            keyOf={({ time, imei, reason }) => `${time} ${imei} ${reason}`}
            empty={simText('noRefusals')}
            columns={[
              { key: 'time', title: simText('time'), cell: ({ time }) => formatTime(time) },
              {
                ...{ key: 'reason', title: simText('reason') },
                cell: ({ reason }) => reasonFor(reason),
              },
              {
                ...{ key: 'remedy', title: simText('remedy') },
                cell: ({ reason }) => remedyFor(reason),
              },
              { key: 'imei', title: simText('imei'), cell: ({ imei }) => <code>{imei}</code> },
              {
                ...{ key: 'carrier', title: simText('carrier') },
                cell: ({ carrier, element }) => (
                  <>
                    {carrier || '–'}
                    {element !== undefined && (
                      <div class="note">{simText('atElement', { element })}</div>
                    )}
                  </>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Card>
  )
}
