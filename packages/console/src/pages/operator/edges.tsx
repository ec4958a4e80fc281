/** The edges of the web accelerator: which there are, what holds there, and what their caches do. */
import type { Element } from '@kumoi/client'
import { useAction } from '../../data/action.ts'
import { useQuery } from '../../data/query.ts'
import { formatBytes, formatNumber, formatTime } from '../../format.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { edgeText } from './edge-texts.ts'

const EVERY_MS = 2000

type Edge = Element<'edgeList'>

export function EdgesPage() {
  const list = useQuery((signal) => cloud().orThrow.edgeList({}, { signal }), [], {
    everyMs: EVERY_MS,
  })
  const forget = useAction(async (id: string) => {
    await cloud().orThrow.edgeDelete({ params: { edge_id: id } })
    list.reload()
  }, edgeText('forgotten'))
  return (
    <Page title={edgeText('title')} note={edgeText('note')}>
      {forget.error !== undefined && <ErrorBox error={forget.error} />}
      <Loaded query={list}>
        {({ edges, version }) => (
          <EdgeTable edges={edges} version={version} forget={(id) => void forget.run(id)} />
        )}
      </Loaded>
    </Page>
  )
}

interface TableProps {
  readonly edges: readonly Edge[]
  readonly version: number
  forget(id: string): void
}

function EdgeTable({ edges, version, forget }: TableProps) {
  return (
    <Table
      caption={edgeText('title')}
      rows={edges}
      keyOf={({ id }) => id}
      empty={edgeText('none')}
      columns={[
        {
          ...{ key: 'name', title: edgeText('name') },
          cell: ({ name, id }) => (
            <>
              {name}
              <div class="note">
                <code>{id}</code>
              </div>
            </>
          ),
        },
        {
          ...{ key: 'engine', title: edgeText('engine') },
          cell: ({ engine, software_version, is_remote }) => (
            <>
              {engine} {software_version}
              <div class="note">{edgeText(is_remote ? 'remote' : 'here')}</div>
            </>
          ),
        },
        {
          ...{ key: 'seen', title: edgeText('lastSeen') },
          cell: ({ last_seen, is_live }) =>
            is_live ? (
              <Badge tone="good">{edgeText('live')}</Badge>
            ) : (
              <>
                <Badge tone="bad">{edgeText('silent')}</Badge> {formatTime(last_seen)}
              </>
            ),
        },
        {
          ...{ key: 'settings', title: edgeText('settings') },
          cell: (edge) => <Settings edge={edge} version={version} />,
        },
        {
          ...{ key: 'cache', title: edgeText('cache'), align: 'end' },
          cell: ({ cache_bytes, cache_objects }) => (
            <>
              {formatBytes(cache_bytes)}
              <div class="note">
                {edgeText('objects', { objects: formatNumber(cache_objects) })}
              </div>
            </>
          ),
        },
        {
          ...{ key: 'hits', title: edgeText('hits'), align: 'end' },
          cell: ({ hits }) => formatNumber(hits),
        },
        {
          ...{ key: 'misses', title: edgeText('misses'), align: 'end' },
          cell: ({ misses }) => formatNumber(misses),
        },
        {
          ...{ key: 'forget', title: '' },
          cell: ({ id, is_live }) =>
            is_live ? '' : <Button onClick={() => forget(id)}>{edgeText('forget')}</Button>,
        },
      ]}
    />
  )
}

function Settings({ edge, version }: { edge: Edge; version: number }) {
  const { version: applied, settings_age_seconds: age } = edge
  if (applied === null) return <>{edgeText('noSettings')}</>
  if (applied === version && (age ?? 0) === 0) return <>{edgeText('upToDate')}</>
  return <>{edgeText('oldSettings', { seconds: formatNumber(age ?? 0) })}</>
}
