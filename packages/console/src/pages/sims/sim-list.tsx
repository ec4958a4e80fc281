/** All SIMs of the account: searched, sorted and paged by the server. */
import { useMemo } from 'preact/hooks'
import { usePagedRows } from '../../data/paged-rows.ts'
import { formatNumber, formatTime } from '../../format.ts'
import { useLevelReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LongTable } from '../../ui/long-table.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'
import { RegisterDialog } from './register-dialog.tsx'
import { detailOf, iccidOf, type SimItem } from './sim.ts'
import { SimFilters } from './sim-filters.tsx'
import { filterOf, isFiltered } from './sim-search.ts'
import { simText } from './texts.ts'

export function SimList({ query }: PageInput) {
  const denied = useLevelReason('create')
  const shown = useMemo(columns, [])
  const sort = query.sort ?? '-CreatedAt'
  const filter = filterOf(query)
  const rows = usePagedRows(
    async (from, count, signal) => {
      const answer = await cloud().orThrow.itemList(
        {
          search: {
            ...{ From: from, Count: count, Sort: [sort], Include: ['*', 'Status.sim'] },
            Filter: filter,
          },
        },
        { signal },
      )
      return { total: answer.Total, rows: answer.CommonServiceItems }
    },
    [sort, filter],
  )
  return (
    <Page
      title={simText('title')}
      note={rows.total !== undefined && simText('count', { count: formatNumber(rows.total) })}
      actions={
        <>
          <Button onClick={rows.reload}>{simText('reload')}</Button>
          <a class="button" href="#/sims/register">
            {simText('registerMany')}
          </a>
          <Button kind="primary" reason={denied} onClick={() => setQuery({ new: '1' })}>
            {simText('register')}
          </Button>
        </>
      }
    >
      <SimFilters query={query} />
      <LongTable
        caption={simText('title')}
        columns={shown}
        rows={rows}
        sort={sort}
        onSort={(next) => setQuery({ sort: next })}
        empty={<NoSims isFiltered={isFiltered(query)} denied={denied} />}
      />
      {query.new && (
        <RegisterDialog onClose={() => setQuery({ new: undefined })} onDone={rows.reload} />
      )}
    </Page>
  )
}

function NoSims({ isFiltered, denied }: { isFiltered: boolean; denied: string | undefined }) {
  if (isFiltered) {
    return (
      <EmptyState icon="search" title={simText('noneMatch')}>
        <Button onClick={() => setQuery({ q: '', active: '', session: '', gateway: '' })}>
          {simText('showAll')}
        </Button>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="sim" title={simText('none')} hint={simText('noneHint')}>
      <Button kind="primary" reason={denied} onClick={() => setQuery({ new: '1' })}>
        {simText('register')}
      </Button>
    </EmptyState>
  )
}

function columns(): Column<SimItem>[] {
  return [
    {
      ...{ key: 'name', title: simText('name'), sort: 'Name' },
      cell: (sim) => <a href={`#/sims/${sim.ID}`}>{sim.Name || sim.ID}</a>,
    },
    {
      ...{ key: 'iccid', title: simText('iccid'), sort: 'Status.ICCID', width: 'l', isMinor: true },
      cell: (sim) => <code>{iccidOf(sim)}</code>,
    },
    {
      ...{
        key: 'state',
        title: simText('state'),
        sort: 'Status.sim.activated',
        width: 'xs',
        isMinor: true,
      },
      cell: (sim) => <ActiveBadge sim={detailOf(sim)} />,
    },
    {
      ...{
        key: 'session',
        title: simText('session'),
        sort: 'Status.sim.session_status',
        width: 's',
      },
      cell: (sim) => <SessionBadge status={detailOf(sim).session_status} />,
    },
    {
      key: 'ip',
      title: simText('ip'),
      width: 'm',
      isMinor: true,
      cell: (sim) => detailOf(sim).ip ?? '–',
    },
    {
      key: 'tags',
      title: simText('tags'),
      isMinor: true,
      cell: (sim) => sim.Tags?.join(', ') || '–',
    },
    {
      ...{
        key: 'created',
        title: simText('created'),
        sort: 'CreatedAt',
        width: 'xl',
        isMinor: true,
      },
      cell: (sim) => formatTime(sim.CreatedAt),
    },
  ]
}

export function ActiveBadge({ sim }: { sim: { activated?: boolean } }) {
  return sim.activated ? (
    <Badge tone="good">{simText('active')}</Badge>
  ) : (
    <Badge tone="calm">{simText('inactive')}</Badge>
  )
}

export function SessionBadge({ status }: { status: string | undefined }) {
  return status === 'UP' ? (
    <Badge tone="good">{simText('up')}</Badge>
  ) : (
    <Badge tone="calm">{simText('down')}</Badge>
  )
}
