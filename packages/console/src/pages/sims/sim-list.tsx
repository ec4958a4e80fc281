/** All SIMs of the account: searched, sorted and paged by the server. */
import { useEffect, useMemo, useState } from 'preact/hooks'
import { usePagedRows } from '../../data/paged-rows.ts'
import { formatNumber, formatTime } from '../../format.ts'
import type { PageInput } from '../../page-input.ts'
import { setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { LongTable } from '../../ui/long-table.tsx'
import { Page } from '../../ui/page.tsx'
import type { Column } from '../../ui/table.tsx'
import { RegisterDialog } from './register-dialog.tsx'
import { detailOf, iccidOf, type SimItem } from './sim.ts'
import { simText } from './texts.ts'

const FIELDS = ['Name', 'Status.ICCID', 'ID', 'Tags.Name'] as const
type SearchField = (typeof FIELDS)[number]

/** What a search asks for; a rest after typing, so that not every letter is a question. */
const TYPING_MS = 250

export function SimList({ query }: PageInput) {
  const [isRegistering, setRegistering] = useState(false)
  const shown = useMemo(columns, [])
  const sort = query.sort ?? '-CreatedAt'
  const field = FIELDS.find((one) => one === query.in) ?? 'Name'
  const words = query.q ?? ''
  const rows = usePagedRows(
    async (from, count, signal) => {
      const answer = await cloud().orThrow.itemList(
        {
          search: {
            ...{ From: from, Count: count, Sort: [sort], Include: ['*', 'Status.sim'] },
            Filter: { 'Provider.Class': 'sim', ...(words !== '' && { [field]: words }) },
          },
        },
        { signal },
      )
      return { total: answer.Total, rows: answer.CommonServiceItems }
    },
    [sort, field, words],
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
          <Button kind="primary" onClick={() => setRegistering(true)}>
            {simText('register')}
          </Button>
        </>
      }
    >
      <Filters field={field} words={words} />
      <LongTable
        caption={simText('title')}
        columns={shown}
        rows={rows}
        sort={sort}
        onSort={(next) => setQuery({ sort: next })}
      />
      {isRegistering && (
        <RegisterDialog onClose={() => setRegistering(false)} onDone={rows.reload} />
      )}
    </Page>
  )
}

function Filters({ field, words }: { field: SearchField; words: string }) {
  const [typed, setTyped] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ q: typed }), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <search class="filters">
      <Field label={simText('search')} type="search" value={typed} onInput={setTyped} />
      <Select<SearchField>
        label={simText('searchIn')}
        value={field}
        onChange={(next) => setQuery({ in: next })}
        options={[
          ['Name', simText('byName')],
          ['Status.ICCID', simText('byIccid')],
          ['ID', simText('byId')],
          ['Tags.Name', simText('byTag')],
        ]}
      />
    </search>
  )
}

function columns(): Column<SimItem>[] {
  return [
    {
      ...{ key: 'name', title: simText('name'), sort: 'Name' },
      cell: (sim) => <a href={`#/sims/${sim.ID}`}>{sim.Name || sim.ID}</a>,
    },
    {
      ...{ key: 'iccid', title: simText('iccid'), sort: 'Status.ICCID', width: 'l' },
      cell: (sim) => <code>{iccidOf(sim)}</code>,
    },
    {
      ...{ key: 'state', title: simText('state'), width: 'xs' },
      cell: (sim) => <ActiveBadge sim={detailOf(sim)} />,
    },
    {
      ...{ key: 'session', title: simText('session'), width: 's' },
      cell: (sim) => <SessionBadge status={detailOf(sim).session_status} />,
    },
    { key: 'ip', title: simText('ip'), width: 'm', cell: (sim) => detailOf(sim).ip ?? '–' },
    { key: 'tags', title: simText('tags'), cell: (sim) => sim.Tags?.join(', ') },
    {
      ...{ key: 'created', title: simText('created'), sort: 'CreatedAt', width: 'l' },
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
