/** When the device was connected: as a line of time, and as the log that it is made from. */
import type { Element } from '@kumoi/client'
import { useQuery } from '../../data/query.ts'
import { formatTime } from '../../format.ts'
import { serverNow } from '../../server-time.ts'
import { cloud } from '../../session.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Card } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { EventBadge } from './event-badge.tsx'
import { simText } from './texts.ts'
import { type Span, spansOf } from './timeline.ts'

const COUNT = 200
const WIDTH = 1000

type Entry = Element<'simSessionLog'>

export function SimSessions({ id }: { id: string }) {
  const log = useQuery(
    async (signal) => {
      const now = await serverNow(signal)
      const params = { sim_id: id }
      const { logs } = await cloud().orThrow.simSessionLog(
        { params, search: { Count: COUNT } },
        { signal },
      )
      return { logs, now }
    },
    [id],
    { everyMs: 10_000 },
  )
  return (
    <Card title={simText('sessions')}>
      <Loaded query={log}>
        {({ logs, now }) => (
          <>
            <Timeline spans={spansOf(logs, now)} now={now} />
            <Log entries={logs} />
          </>
        )}
      </Loaded>
    </Card>
  )
}

function Timeline({ spans, now }: { spans: readonly Span[]; now: number }) {
  const first = spans[0]?.from
  if (first === undefined) return null
  const scale = WIDTH / Math.max(1, now - first)
  const label = spans
    .map(({ from, to }) => `${formatTime(from)} – ${to === undefined ? '' : formatTime(to)}`)
    .join('; ')
  return (
    <div class="timeline">
      <svg viewBox={`0 0 ${WIDTH} 24`} preserveAspectRatio="none" role="img" aria-label={label}>
        <rect class="timeline-base" x={0} y={0} width={WIDTH} height={24} />
        {spans.map(({ from, to = now }) => (
          <rect
            key={from}
            class="timeline-up"
            x={(from - first) * scale}
            y={0}
            width={Math.max(1, (to - from) * scale)}
            height={24}
          />
        ))}
      </svg>
      <div class="timeline-ends note">
        <span>{formatTime(first)}</span>
        <span>{formatTime(now)}</span>
      </div>
    </div>
  )
}

function Log({ entries }: { entries: readonly Entry[] }) {
  return (
    <Table
      caption={simText('sessions')}
      rows={entries}
      keyOf={({ date, session_status }) => `${date} ${session_status}`}
      empty={simText('noSessions')}
      columns={[
        { key: 'time', title: simText('time'), cell: ({ date }) => formatTime(date) },
        {
          ...{ key: 'event', title: simText('event') },
          cell: (entry) => <EventBadge entry={entry} />,
        },
        { key: 'imei', title: simText('imei'), cell: ({ imei }) => <code>{imei ?? '–'}</code> },
        { key: 'imsi', title: simText('imsi'), cell: ({ imsi }) => <code>{imsi}</code> },
      ]}
    />
  )
}
