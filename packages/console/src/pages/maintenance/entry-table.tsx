import { formatTime } from '../../format.ts'
import { Table } from '../../ui/table.tsx'
import type { Entry } from './calendar.ts'
import { maintenanceText } from './texts.ts'

export function EntryTable({ name, entries }: { name: string; entries: readonly Entry[] }) {
  return (
    <Table
      caption={maintenanceText('list', { month: name })}
      rows={entries}
      keyOf={({ maintenance_id }) => maintenance_id}
      empty={maintenanceText('none')}
      columns={[
        {
          key: 'what',
          title: maintenanceText('what'),
          cell: ({ title, service, maintenance_id }) => (
            <>
              {title}
              <div class="note">{[service, maintenance_id].filter(Boolean).join(' · ')}</div>
            </>
          ),
        },
        { key: 'zone', title: maintenanceText('zone'), cell: ({ zone }) => <code>{zone}</code> },
        {
          key: 'from',
          title: maintenanceText('from'),
          cell: ({ start_at }) => formatTime(isoOf(start_at)),
        },
        {
          key: 'until',
          title: maintenanceText('until'),
          cell: ({ end_at }) => formatTime(isoOf(end_at)),
        },
        { key: 'resources', title: maintenanceText('resources'), cell: resourcesOf },
        { key: 'info', title: maintenanceText('info'), cell: linkOf },
      ]}
    />
  )
}

/** The wire writes times of Japan without saying so. */
const isoOf = (time: string) => `${time.replace(' ', 'T')}+09:00`

function resourcesOf({ accounts }: Entry) {
  const ids = accounts.flatMap(({ resources }) => resources)
  if (ids.length === 0) return '–'
  return ids.map(({ resource_class, resource_id }) => (
    <div key={resource_id}>
      {resource_class} <code>{resource_id}</code>
    </div>
  ))
}

/** Anybody can announce anything: only addresses of the web become links. */
function linkOf({ info_url, title }: Entry) {
  if (!/^https?:\/\//.test(info_url)) return info_url || '–'
  return (
    <a
      href={info_url}
      target="_blank"
      rel="noreferrer"
      aria-label={`${maintenanceText('info')}: ${title}`}
    >
      {maintenanceText('info')}
    </a>
  )
}
