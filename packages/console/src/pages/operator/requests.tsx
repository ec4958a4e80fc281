/** The requests inspector. */
import type { Element } from '@kumoi/client'
import { formatNumber, formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { saveAs } from '../../save-as.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { LiveActions, usePausableLive } from './live-actions.tsx'
import { RequestDialog } from './request-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'
import { operatorText } from './texts.ts'

export type RequestRow = Element<'requestList'>

/** As many as the server keeps would be slow to draw; the filter is for the rest. */
const MOST = 500

export function Requests({ query }: PageInput) {
  const live = usePausableLive<RequestRow>(followRequests, MOST)
  const words = query.q ?? ''
  const show = query.show ?? 'all'
  const rows = live.items.filter((row) => isWanted(row, words, show)).slice(0, MOST)
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
      <search class="filters">
        <Field
          label={operatorText('filter')}
          hint={operatorText('filterHint')}
          type="search"
          value={words}
          onInput={(q) => setQuery({ q })}
        />
        <Select
          label={operatorText('status')}
          value={show}
          onChange={(next) => setQuery({ show: next })}
          options={[
            ['all', operatorText('all')],
            ['refused', operatorText('refusedOnly')],
            ['changes', operatorText('changesOnly')],
          ]}
        />
      </search>
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

function isWanted(row: RequestRow, words: string, show: string): boolean {
  if (show === 'refused' && row.status < 400) return false
  if (show === 'changes' && row.method === 'GET') return false
  const text = `${row.operation} ${row.path} ${row.account ?? ''} ${row.serial} ${row.status}`
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.toLowerCase().includes(word))
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
        { key: 'time', title: operatorText('time'), cell: ({ time }) => formatTime(time) },
        {
          ...{ key: 'status', title: operatorText('status') },
          cell: ({ status }) => <StatusBadge status={status} />,
        },
        {
          ...{ key: 'operation', title: operatorText('operation') },
          cell: ({ method, operation, serial }) => (
            <button type="button" class="link" onClick={() => setQuery({ serial })}>
              {method} {operation}
            </button>
          ),
        },
        { key: 'account', title: operatorText('account'), cell: ({ account }) => account ?? '–' },
        {
          ...{ key: 'duration', title: operatorText('duration'), align: 'end' },
          cell: ({ duration_ms }) => `${formatNumber(duration_ms, 1)} ms`,
        },
        {
          ...{ key: 'path', title: operatorText('path') },
          cell: ({ path }) => <code class="clip">{path}</code>,
        },
      ]}
    />
  )
}

async function saveArchive(): Promise<void> {
  const archive = await cloud().orThrow.requestArchive()
  const text = typeof archive === 'string' ? archive : JSON.stringify(archive)
  saveAs('requests.har', 'application/json', text)
}
