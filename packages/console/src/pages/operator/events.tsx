import type { ChangeEvent } from '@kumoi/client'
import { useState } from 'preact/hooks'
import { useLive } from '../../data/live.ts'
import { formatTime } from '../../format.ts'
import { hrefOf } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { rowsText } from './request-dialog.tsx'
import { operatorText } from './texts.ts'

const MOST = 300

export function Events() {
  const [isPaused, setPaused] = useState(false)
  const live = useLive<ChangeEvent>(
    (signal, onOpen) => cloud().changes({ signal, lastEventId: '0', onOpen }),
    { most: MOST, isPaused },
  )
  return (
    <Page
      title={operatorText('events')}
      note={operatorText('eventsNote')}
      actions={
        <>
          <Badge tone={live.isOpen ? 'good' : 'warn'}>
            {operatorText(live.isOpen ? 'live' : 'connecting')}
          </Badge>
          <Button isPressed={isPaused} onClick={() => setPaused(!isPaused)}>
            {operatorText(isPaused ? 'resume' : 'pause')}
          </Button>
          <Button onClick={live.clear}>{operatorText('clear')}</Button>
        </>
      }
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
