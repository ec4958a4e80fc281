/** The sites of the account, and what they delivered together. */
import type { Element } from '@kumoi/client'
import { useQuery } from '../../data/query.ts'
import { formatDate, formatNumber } from '../../format.ts'
import { type Key, levelReason } from '../../key.ts'
import type { PageInput } from '../../page-input.ts'
import { navigate, setQuery } from '../../router.ts'
import { cloud } from '../../session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { NeedsCdn } from './needs-cdn.tsx'
import { SiteDialog } from './site-dialog.tsx'
import { StatusBadge } from './status-badge.tsx'
import { siteText } from './texts.ts'
import { UsageCharts } from './usage-charts.tsx'

type Site = Element<'siteList'>

export function Sites({ query }: PageInput) {
  return <NeedsCdn>{(key) => <Shown access={key} isMaking={Boolean(query.new)} />}</NeedsCdn>
}

async function listSites(signal: AbortSignal): Promise<Site[]> {
  const sites: Site[] = []
  for await (const site of cloud().each.siteList({}, { signal, pageSize: 20 })) sites.push(site)
  return sites
}

function Shown({ access, isMaking }: { access: Key; isMaking: boolean }) {
  const denied = levelReason(access, 'create')
  const sites = useQuery(listSites, [])
  return (
    <Page
      title={siteText('title')}
      note={siteText('note')}
      actions={
        <Button kind="primary" onClick={() => setQuery({ new: '1' })} reason={denied}>
          {siteText('createSite')}
        </Button>
      }
    >
      <Loaded query={sites}>{(list) => <SiteTable list={list} denied={denied} />}</Loaded>
      <UsageCharts />
      {isMaking && (
        <SiteDialog
          onClose={() => setQuery({ new: undefined })}
          onDone={(id) => navigate(`/webaccel/${id}`)}
        />
      )}
    </Page>
  )
}

interface SiteTableProps {
  readonly list: readonly Site[]
  /** Why none can be created. */
  readonly denied: string | undefined
}

function SiteTable({ list, denied }: SiteTableProps) {
  return (
    <Table
      caption={siteText('sites')}
      rows={list}
      keyOf={({ ID }) => ID}
      empty={
        <EmptyState icon="site" title={siteText('noSites')} hint={siteText('noSitesHint')}>
          <Button kind="primary" onClick={() => setQuery({ new: '1' })} reason={denied}>
            {siteText('createSite')}
          </Button>
        </EmptyState>
      }
      columns={[
        {
          key: 'name',
          title: siteText('name'),
          cell: ({ ID, Name }) => <a href={`#/webaccel/${ID}`}>{Name}</a>,
        },
        { key: 'domain', title: siteText('domain'), cell: ({ Domain }) => Domain },
        {
          key: 'status',
          title: siteText('status'),
          cell: ({ Status }) => <StatusBadge status={Status} />,
        },
        {
          key: 'origin',
          title: siteText('origin'),
          cell: (site) => (site.OriginType === '1' ? site.BucketName : site.Origin),
        },
        {
          key: 'certificate',
          title: siteText('certificate'),
          cell: ({ HasCertificate, CertValidNotAfter }) =>
            HasCertificate
              ? siteText('validUntil', { time: formatDate(Number(CertValidNotAfter)) })
              : siteText('none'),
        },
        {
          ...{ key: 'week', title: siteText('lastWeek'), align: 'end' },
          cell: ({ GibSentInLastWeek }) => `${formatNumber(GibSentInLastWeek, 2)} GiB`,
        },
      ]}
    />
  )
}
