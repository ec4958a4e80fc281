import type { ChangeEvent } from '@kumoi/client'
import { formatTime } from '../../format.ts'
import { hrefOf } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { LiveActions, usePausableLive } from './live-actions.tsx'
import { rowsText } from './request-dialog.tsx'
import { operatorText } from './texts.ts'

const MOST = 300

export function Events() {
  const live = usePausableLive<ChangeEvent>(
    (signal, onOpen) => cloud().changes({ signal, lastEventId: '0', onOpen }),
    MOST,
  )
  return (
    <Page
      title={operatorText('events')}
      note={operatorText('eventsNote')}
      actions={<LiveActions live={live} />}
    >
      {live.error !== undefined && <ErrorBox error={live.error} />}
      <Table
        caption={operatorText('events')}
        isTall
        rows={live.items}
        keyOf={({ id }) => id}
        empty={operatorText('noEvents')}
        columns={[
          { key: 'time', title: operatorText('time'), cell: ({ data }) => formatTime(data.time) },
          { key: 'by', title: operatorText('by'), cell: (event) => <Cause event={event} /> },
          {
            ...{ key: 'rows', title: operatorText('rowsChanged') },
            cell: ({ data }) => rowsText(data.rows_changed),
          },
        ]}
      />
    </Page>
  )
}

function Cause({ event: { data } }: { event: ChangeEvent }) {
  if (data.job !== undefined) {
    return (
      <>
        <Badge tone="calm">{operatorText('job')}</Badge> {data.job}
      </>
    )
  }
  return (
    <>
      <Badge tone="info">{operatorText('request')}</Badge>{' '}
      <a href={hrefOf('/operator/requests', { serial: data.serial })}>{data.serial}</a>
    </>
  )
}
