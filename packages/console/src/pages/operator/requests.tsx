/** The requests inspector. */
import { formatNumber, formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { saveAs } from '../../save-as.ts'
import { CLIENT_NAME, cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { LiveActions, usePausableLive } from './live-actions.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { filterOf, isWanted, partsOf, type RequestRow } from './request-filter.ts'
import { RequestFilters } from './request-filters.tsx'
import { StatusBadge } from './status-badge.tsx'
import { operatorText } from './texts.ts'

/** As many as the server keeps: the console's own calls would push out the others. */
const KEPT = 2000
/** More would be slow to draw; the filters are for the rest. */
const MOST = 500

export function Requests({ query }: PageInput) {
  const live = usePausableLive<RequestRow>(followRequests, KEPT)
  const filter = filterOf(query)
  const rows = live.items.filter((row) => isWanted(row, filter, CLIENT_NAME)).slice(0, MOST)
  return (
    <Page
      title={operatorText('requests')}
      note={operatorText('requestsNote')}
      actions={
        <LiveActions live={live}>
          <Button onClick={() => void saveArchive()}>{operatorText('archive')}</Button>
        </LiveActions>
      }
    >
      {live.error !== undefined && <ErrorBox error={live.error} />}
      <RequestFilters filter={filter} seen={live.items} />
      <RequestTable rows={rows} />
      {query.serial !== undefined && (
        <RequestDialog
          key={query.serial}
          serial={query.serial}
          onClose={() => setQuery({ serial: undefined })}
        />
      )}
    </Page>
  )
}

/** Those that were before come first, so that the page is not empty until the next one. */
async function* followRequests(signal: AbortSignal, onOpen: () => void) {
  for await (const { data } of cloud().events({ signal, lastEventId: '0', onOpen })) yield data
}

function RequestTable({ rows }: { rows: readonly RequestRow[] }) {
  return (
    <Table
      caption={operatorText('requests')}
      isTall
      rows={rows}
      keyOf={({ serial }) => serial}
      empty={operatorText('waiting')}
      columns={[
        {
          ...{ key: 'operation', title: operatorText('operation') },
          cell: ({ method, operation, serial }) => (
            <button type="button" class="link" onClick={() => setQuery({ serial })}>
              {method} {operation}
            </button>
          ),
        },
        {
          ...{ key: 'status', title: operatorText('status') },
          cell: ({ status }) => <StatusBadge status={status} />,
        },
        {
          ...{ key: 'path', title: operatorText('path') },
          cell: ({ path }) => <PathText path={path} />,
        },
        { key: 'account', title: operatorText('account'), cell: ({ account }) => account ?? '–' },
        {
          ...{ key: 'duration', title: operatorText('duration'), align: 'end' },
          cell: ({ duration_ms }) => `${formatNumber(duration_ms, 1)} ms`,
        },
        { key: 'time', title: operatorText('time'), cell: ({ time }) => formatTime(time) },
      ]}
    />
  )
}

/** The end says which thing it is; the beginning is the same for all. */
function PathText({ path }: { path: string }) {
  const [bare, search] = partsOf(path)
  return (
    <code class="clip path" title={path}>
      <span class="path-bare">
        <bdi>{bare}</bdi>
      </span>
      <span class="path-query">{search}</span>
    </code>
  )
}

async function saveArchive(): Promise<void> {
  const archive = await cloud().orThrow.requestArchive()
  const text = typeof archive === 'string' ? archive : JSON.stringify(archive)
  saveAs('requests.har', 'application/json', text)
}
